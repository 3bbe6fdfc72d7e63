package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A yes before something is done. */
class ConfirmTest {
  @Command
  private static final class Options {
    @Mixin
    Confirm confirm = new Confirm();
  }

  private static CommandException ask(Desk desk, String... words) {
    Options options = CommandLine.populateCommand(new Options(), words);
    return catchThrowableOfType(
        CommandException.class, () -> options.confirm.ask(desk.console, "this deletes 3 jobs"));
  }

  @Test
  void person_isAsked_andOnlyAYesGoesOn() {
    Desk desk = new Desk("Yes\n", Desk.NARROW, Map.of());
    assertThat(ask(desk)).isNull();
    assertThat(desk.err()).isEqualTo("sluice: this deletes 3 jobs. Go on? [y/N] ");
    assertThat(ask(new Desk("n\n", Desk.NARROW, Map.of()))).hasMessage("nothing was done");
    assertThat(ask(new Desk("", Desk.NARROW, Map.of())).exit()).isEqualTo(Exit.MISUSED);
  }

  @Test
  void script_mustSayYes() {
    assertThat(ask(new Desk("y\n")).lines())
        .containsExactly(
            "this deletes 3 jobs", "nothing was done: there is nobody to ask; --yes does it");
    assertThat(ask(new Desk(""), "--yes")).isNull();
  }
}
