package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The run with a held snapshot, a few seconds of it. */
@Tag("slow")
class HeldRunTest {
  @TempDir
  Path folder;

  @Test
  void heldRun_writesDataAndAPicture() throws Exception {
    Path json = folder.resolve("held.json");
    Path plot = folder.resolve("held.svg");
    Run.main(new String[] {
      "--held-snapshot", "0.04", "--json", json.toString(), "--plot", plot.toString()
    });
    JsonNode samples =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("samples");
    assertThat(samples.values())
        .hasSizeGreaterThan(8)
        .anyMatch(sample -> sample.get("held").asBoolean())
        .anyMatch(sample -> !sample.get("held").asBoolean())
        .anyMatch(sample -> sample.get("donePerSecond").asDouble() > 0)
        .allSatisfy(sample ->
            assertThat(sample.get("tables").propertyNames()).contains("ready", "running"));
    var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(plot.toFile());
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(8);
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("snapshot held", "Time of a claim, ms", "minutes");
  }
}
