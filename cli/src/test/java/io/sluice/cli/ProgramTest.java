package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The tree of commands: help, mistakes, and the codes that commands end with. */
class ProgramTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console = new Console(
      InputStream.nullInputStream(),
      new PrintStream(out, true, StandardCharsets.UTF_8),
      new PrintStream(err, true, StandardCharsets.UTF_8),
      Map.of(),
      Screen.NONE,
      Pace.system());

  @Command(name = "boats", description = "Boats of the harbour.", subcommands = Sail.class)
  private static final class Boats {}

  @Command(name = "sail", description = "Sails one.")
  private static final class Sail implements Callable<Integer> {
    @Parameters(paramLabel = "BOAT", description = "which")
    String boat = "";

    @Option(names = "--knots", paramLabel = "N", description = "how fast")
    int knots;

    @Option(names = "--depth", paramLabel = "M", description = "of the water")
    BigDecimal depth = BigDecimal.ONE;

    @Option(names = "--mark", paramLabel = "NAME=VALUE", description = "on the hull")
    Map<String, String> marks = Map.of();

    @Override
    public Integer call() {
      throw switch (boat) {
        case "ghost" -> new CommandException(Exit.NOT_FOUND, "there is no boat ghost");
        default -> new IllegalStateException(boat + " at " + knots + depth + marks);
      };
    }
  }

  private int run(String... words) {
    return new Program(console, "1.2.3").add(Group.PLACES, new Boats()).run(List.of(words));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void terminalOfAnyWidth_showsHelpAndRunsCommands() {
    for (String width : new String[] {"0", "1", "20", "50", "54", "9999"}) {
      Properties found = new Properties();
      found.setProperty("sluice.terminal", "in out");
      found.setProperty("sluice.width", width);
      Console narrow = new Console(
          console.in(), console.out(), console.err(), Map.of(), Screen.of(found), console.pace());
      Program program = new Program(narrow, "1.2.3").add(Group.PLACES, new Boats());
      assertThat(program.run(List.of("--version"))).as(width).isZero();
      assertThat(program.run(List.of("--help"))).as(width).isZero();
      assertThat(program.run(List.of("boats", "sail", "--help"))).as(width).isZero();
      assertThat(program.run(List.of("boats", "sail", "ghost")))
          .as(width)
          .isEqualTo(Exit.NOT_FOUND.code());
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("1.2.3", "how fast");
  }

  @Test
  void command_isPutTogether_whenItIsAskedFor() {
    AtomicInteger made = new AtomicInteger();
    Program program = new Program(console, "1.2.3")
        .add(Group.PLACES, new Boats())
        .add(Group.RUN, "harbour", () -> {
          made.incrementAndGet();
          CommandSpec harbour =
              CommandSpec.wrapWithoutInspection((Callable<Integer>) () -> 7).name("harbour");
          harbour.usageMessage().description("Opens it.");
          return harbour;
        });
    assertThat(program.run(List.of("boats", "sail", "ghost"))).isEqualTo(Exit.NOT_FOUND.code());
    assertThat(made).hasValue(0);
    assertThat(program.run(List.of("harbour"))).isEqualTo(7);
    assertThat(program.run(List.of("--help"))).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\nRun\n  harbour  Opens it.\n");
    assertThat(made).hasValue(1);
  }

  @Test
  void help_namesEachCommandUnderItsGroup() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\nQueues and targets\n  boats  Boats of the harbour.\n")
        .doesNotContain("\nRun\n");
  }

  @Test
  void version_isTheOneGiven() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("sluice 1.2.3\n");
  }

  @Test
  void failure_isToldInItsLines_andEndsWithItsCode() {
    assertThat(run("boats", "sail", "ghost")).isEqualTo(4);
    assertThat(err()).isEqualTo("sluice: there is no boat ghost\n");
  }

  @Test
  void unknownOption_isMisuse_withTheNearestOne() {
    assertThat(run("boats", "sail", "x", "--knot", "3")).isEqualTo(2);
    assertThat(err()).isEqualTo("""
        sluice: --knot is not an option of sluice boats sail; did you mean --knots?
        sluice boats sail --help shows what there is
        """);
  }

  @Test
  void valueOfTheWrongKind_isToldInPlainWords() {
    assertThat(run("boats", "sail", "x", "--knots", "fast")).isEqualTo(2);
    assertThat(err()).contains("sluice: --knots must be a whole number, was 'fast'\n");
    assertThat(run("boats", "sail", "x", "--depth", "deep")).isEqualTo(2);
    assertThat(err()).contains("sluice: --depth must be a number, was 'deep'\n");
    assertThat(run("boats", "sail", "x", "--mark", "red")).isEqualTo(2);
    assertThat(err()).contains("sluice: --mark must be NAME=VALUE, was 'red'\n");
  }

  @Test
  void whatIsMissing_isNamed() {
    assertThat(run("boats", "sail")).isEqualTo(2);
    assertThat(err()).startsWith("sluice: sluice boats sail needs BOAT\n");
    assertThat(run("boats")).isEqualTo(2);
    assertThat(err()).contains("sluice: sluice boats needs one of: sail\n");
    assertThat(run("boats", "sail", "x", "--knots")).isEqualTo(2);
    assertThat(err()).contains("sluice: --knots must be followed by N\n");
    assertThat(run("boats", "sial")).isEqualTo(2);
    assertThat(err()).contains("'sial' is not a command of sluice boats; did you mean sail?\n");
  }
}
