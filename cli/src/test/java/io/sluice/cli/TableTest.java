package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Columns: where they stand, and which give way. */
class TableTest {
  private static Table table() {
    return new Table()
        .text("NAME")
        .number("JOBS")
        .cuttable("REASON")
        .row("a", "1,200", "the receiver answered 500: https://example.com/orders/with/a/long/path")
        .row("emails", "3", "");
  }

  @Test
  void text_standsLeft_numbersRight_andNothingTrails() {
    assertThat(table().text(Screen.NONE)).isEqualTo("""
        NAME     JOBS  REASON
        a       1,200  the receiver answered 500: https://example.com/orders/with/a/long/path
        emails      3
        """);
  }

  @Test
  void narrowScreen_cutsWhatMayBeCut_toFit() {
    String text = table().text(new Screen(false, true, 40));
    assertThat(text.lines()).allMatch(line -> line.length() <= 40);
    assertThat(text).contains("a       1,200  the receiver answered 50…\n");
  }

  @Test
  void tooNarrowScreen_keepsWhatMustBeWhole() {
    assertThat(table().text(new Screen(false, true, 5))).contains("emails      3", "the rec…");
  }

  @Test
  void columnsThatMayBeCut_shareTheRoom() {
    Table table = new Table()
        .text("ID")
        .cuttable("WHAT")
        .cuttable("REASON")
        .row("a", "w".repeat(70), "r".repeat(50));
    assertThat(table.text(new Screen(false, true, 50)).lines().toList().get(1))
        .isEqualTo("a   " + "w".repeat(21) + "…  " + "r".repeat(21) + "…");
  }

  @Test
  void columnsThatWouldGetTooLittle_haveALineOfTheirOwn() {
    Table table = new Table()
        .text("ID")
        .cuttable("WHAT")
        .number("ATTEMPT")
        .cuttable("REASON")
        .row("i".repeat(20), "GET here/orders", "1/5", "the receiver answered 500")
        .row("j".repeat(20), "", "2/5", "");
    assertThat(table.text(new Screen(false, true, 52))).isEqualTo("""
        ID                    ATTEMPT
          WHAT             REASON
        iiiiiiiiiiiiiiiiiiii      1/5
          GET here/orders  the receiver answered 500
        jjjjjjjjjjjjjjjjjjjj      2/5
        """);
    assertThat(table.text(Screen.NONE)).startsWith("ID                    WHAT             ATT");
  }

  @Test
  void controlCharacters_doNotReachTheScreen() {
    String text = new Table().text("A").row("x\u001b[31m\ny\u0007\tz").text(Screen.NONE);
    assertThat(text).isEqualTo("A\nx [31m y z\n");
    assertThat(Words.block("a\u001b[2J\r\nb")).isEqualTo("a?[2J\nb");
  }
}
