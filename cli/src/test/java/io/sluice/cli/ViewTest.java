package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said below a list that goes on. */
class ViewTest {
  private static String more(String cursor, Screen screen) {
    Desk desk = new Desk("", screen, Map.of());
    new View().print(desk.console, Json.object().put("nextCursor", cursor), any -> "");
    return desk.err();
  }

  @Test
  void cursor_isOnTheSameLine_whereItFits() {
    assertThat(more("c".repeat(99), Screen.NONE))
        .isEqualTo("sluice: there are more: --all, or --cursor " + "c".repeat(99) + "\n");
    assertThat(more("short", Desk.NARROW))
        .isEqualTo("sluice: there are more: --all, or --cursor short\n");
  }

  @Test
  void cursor_hasALineOfItsOwn_whereItWouldBeBroken() {
    assertThat(more("c".repeat(50), Desk.NARROW).lines())
        .endsWith("c".repeat(50))
        .allMatch(line -> line.length() <= 60);
  }
}
