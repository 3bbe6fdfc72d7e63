package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Console;
import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The program as somebody meets it who types something. */
class MainTest {
  private final Terminal terminal = new Terminal(Map.of(), Screen.NONE);

  @Test
  void noWords_showTheHelp_inGroups_withTheExitCodes() {
    Ran none = terminal.run();
    assertThat(none.code()).isZero();
    assertThat(none.out())
        .startsWith("Usage: sluice COMMAND [OPTION]...")
        .contains("\nRun\n", "  server ", "\nExit codes\n", "  3  no server answers");
    assertThat(terminal.run("--help")).isEqualTo(none);
  }

  @Test
  void version_isThatOfTheJar() {
    assertThat(terminal.run("--version").out()).isEqualTo("sluice " + Version.current() + "\n");
  }

  @Test
  void unknownCommand_isMisuse_withTheNearestOne() {
    Ran near = terminal.run("serve");
    assertThat(near.code()).isEqualTo(2);
    assertThat(near.out()).isEmpty();
    assertThat(near.err()).isEqualTo("""
        sluice: 'serve' is not a command; did you mean server?
        sluice --help shows what there is
        """);
    assertThat(terminal.run("frobnicate").err())
        .startsWith("sluice: 'frobnicate' is not a command; there are: server");
  }

  @Test
  void wrongFlagsOfTheServer_areAllSaidAtOnce() {
    Ran wrong = terminal.run("server", "--prot", "1", "--port", "x", "--slots", "0");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("sluice: --prot is not a flag; did you mean --port?\n", "--port", "--slots")
        .endsWith("sluice server --help shows what there is\n");
  }

  @Test
  void helpOfTheServer_hasItsFlags() {
    Ran help = terminal.run("server", "--help");
    assertThat(help.code()).isZero();
    assertThat(help.out())
        .startsWith("Usage: sluice server [FLAG]...")
        .contains("--port", "--tls-cert", "Each is also a key of the config file");
  }

  @Test
  void everyCommand_hasAHelpThatSaysWhatItIs() {
    check(Main.program(Console.system()).ready());
  }

  private static void check(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    assertThat(command.getCommandSpec().optionsMap()).as(name).containsKey("--help");
    assertThat(command.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
    command.getSubcommands().values().forEach(MainTest::check);
  }
}
