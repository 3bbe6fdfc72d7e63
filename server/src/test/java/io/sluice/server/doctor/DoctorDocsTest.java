package io.sluice.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the doctor has every fault, in its own words. */
class DoctorDocsTest {
  private static final Path PAGE =
      Path.of("").toAbsolutePath().getParent().resolve("docs/doctor.md");

  @Test
  void page_hasTheTableOfFaults() throws IOException {
    String table = Arrays.stream(Fault.values())
        .map(fault -> "| %s | %s | %s | %s |%n"
            .formatted(
                fault.topic.word(),
                fault.level.name().toLowerCase(Locale.ROOT),
                fault.says.replace("%s", "…"),
                fault.mend))
        .collect(Collectors.joining(
            "", "| about | level | says | and |%n|---|---|---|---|%n".formatted(), ""));
    assertThat(Files.readString(PAGE))
        .as("put this into docs/doctor.md:%n%s", table)
        .contains(table);
  }
}
