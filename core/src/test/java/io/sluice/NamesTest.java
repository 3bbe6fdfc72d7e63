package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void names_areLowerCase_andBeginWithALetterOrDigit() {
    assertThat(List.of("a", "0", "a.b_c-9", "z".repeat(64))).allMatch(Names::isName);
    assertThat(List.of(
            "",
            "A",
            "aB",
            ".a",
            "_a",
            "-a",
            "a/b",
            "a:b",
            "a b",
            "a\n",
            "ä",
            "a\u0000",
            "z".repeat(65)))
        .noneMatch(Names::isName);
    assertThatThrownBy(() -> Names.check("queue", "No Good"))
        .hasMessageContaining("queue")
        .hasMessageContaining("No Good");
  }

  @Test
  void types_mayHaveCapitals_colonsAndSlashes() {
    for (String good : List.of("a", "Email.Send", "io/x:y-z_1", "Z".repeat(128))) {
      assertThat(Names.checkType(good)).isEqualTo(good);
    }
    for (String bad : List.of("", ":a", "/a", ".a", "a b", "a\r", "é", "a$", "Z".repeat(129))) {
      assertThatThrownBy(() -> Names.checkType(bad)).as(bad).hasMessageContaining("type");
    }
  }
}
