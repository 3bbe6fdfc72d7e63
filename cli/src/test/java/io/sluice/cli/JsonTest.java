package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a receiver's or a producer's text can do to a terminal: nothing. */
class JsonTest {
  private static final String NASTY = "a\u009b31mb\u202ec\u2066d\u2028e\u001b[2Jf";

  private static JsonNode number(String text) {
    return Json.read("{\"n\":" + text + "}");
  }

  @Test
  void giantNumber_isShownWithItsExponent_anOrdinaryOneWithout() {
    assertThat(Json.text(number("1e400000000"), "n")).isEqualTo("1E+400000000");
    assertThat(Json.text(number("-2.5e-400000000"), "n")).isEqualTo("-2.5E-400000000");
    assertThat(Json.text(number("1.500"), "n")).isEqualTo("1.5");
    assertThat(Json.text(number("1e3"), "n")).isEqualTo("1000");
    assertThat(Json.text(number("0.000001"), "n")).isEqualTo("0.000001");
    assertThat(Json.pretty(number("1e400000000"))).hasSizeLessThan(100);
    assertThat(Json.compact(number("1e400000000"))).hasSizeLessThan(100);
  }

  @Test
  void controlsAndBidiMarks_reachNoTerminal() {
    assertThat(Words.line(NASTY)).isEqualTo("a 31mb c d e [2Jf");
    assertThat(Words.block("x\n\t" + NASTY)).isEqualTo("x\n\ta?31mb?c?d?e?[2Jf");
    JsonNode node = Json.object().put("s", NASTY + "ü\n");
    for (String json : new String[] {Json.pretty(node), Json.compact(node)}) {
      assertThat(json).contains("\\u009b", "\\u202e", "\\u2028", "ü");
      assertThat(json.replace("\r", "").replace("\n", ""))
          .doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
      assertThat(Json.read(json)).isEqualTo(node);
    }
  }
}
