package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The codes of explanations, and what the documentation says of them. */
class ReasonCodeTest {
  private static final Path PAGE = Path.of("..", "docs", "explain.md");
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)` \\| [^|]+ \\|[^|]*\\|");

  @Test
  void tableInTheDocumentation_hasEveryCode_inItsOrder() throws IOException {
    assertThat(Files.readAllLines(PAGE).stream()
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .map(row -> row.group(1)))
        .containsExactlyElementsOf(
            Arrays.stream(ReasonCode.values()).map(ReasonCode::name).toList());
  }
}
