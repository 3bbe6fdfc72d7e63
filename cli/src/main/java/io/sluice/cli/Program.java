package io.sluice.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The program {@code sluice}: its commands, its help, and the code that each ends with. */
public final class Program {
  private static final String HELP = "--help";
  private static final int WIDEST_HELP = 100;
  /** The narrowest help that picocli can lay out; a narrower terminal wraps its lines. */
  private static final int NARROWEST_HELP = 55;

  private final Console console;
  private final CommandLine root;
  private final List<Added> added = new ArrayList<>();

  private record Added(Group group, String name, Supplier<?> command) {}

  public Program(Console console, String version) {
    this.console = console;
    CommandSpec spec = CommandSpec.wrapWithoutInspection((Callable<Integer>) this::help);
    spec.name("sluice").version("sluice " + version);
    spec.usageMessage()
        .customSynopsis("sluice COMMAND [OPTION]...")
        .description("Keeps jobs safe and gets them done.")
        .commandListHeading("")
        .footer("", "sluice COMMAND --help shows its options, with examples.");
    spec.addOption(OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("shows the version")
        .build());
    this.root = new CommandLine(spec);
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> commandList());
  }

  /** Adds a command: an object with picocli's annotations. */
  public Program add(Group group, Object command) {
    String name = command.getClass().getAnnotation(Command.class).name();
    added.add(new Added(group, name, () -> command));
    return this;
  }

  /** Adds a command that is put together when it is asked for: one with many options takes its time. */
  public Program add(Group group, String name, Supplier<CommandSpec> command) {
    added.add(new Added(group, name, command));
    return this;
  }

  /** Does what the words ask for, and returns the code to end with. */
  public int run(List<String> words) {
    List<Added> one = added.stream()
        .filter(command -> !words.isEmpty() && command.name().equals(words.getFirst()))
        .toList();
    // Looking at the annotations of every command takes longer than most commands do.
    return set(one.isEmpty() ? added : one).execute(words.toArray(String[]::new));
  }

  /** The whole tree, set up. */
  public CommandLine ready() {
    return set(added);
  }

  private CommandLine set(List<Added> commands) {
    for (Added command : commands) {
      if (!root.getSubcommands().containsKey(command.name())) {
        root.addSubcommand(command.name(), new CommandLine(command.command.get()));
      }
    }
    prepare(root);
    root.setOut(Words.writer(console.out()))
        .setErr(Words.writer(console.err()))
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Math.clamp(console.screen().width(), NARROWEST_HELP, WIDEST_HELP))
        .setUsageHelpAutoWidth(false)
        .setParameterExceptionHandler(new Misuse(console))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e));
    return root;
  }

  /** Gives each command its --help, so that none can be without. */
  private static void prepare(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (!spec.optionsMap().containsKey(HELP)) {
      spec.addOption(OptionSpec.builder("-h", HELP)
          .usageHelp(true)
          .description("shows this")
          .order(99)
          .build());
    }
    spec.usageMessage().sortOptions(false).abbreviateSynopsis(true);
    command.getSubcommands().values().forEach(Program::prepare);
  }

  private int failed(Exception e) {
    if (e instanceof CommandException failure) {
      failure.lines().forEach(console::say);
      return failure.exit().code();
    }
    console.say("this should not happen: " + e);
    e.printStackTrace(console.err());
    return Exit.FAILED.code();
  }

  private int help() {
    root.usage(console.out());
    return Exit.OK.code();
  }

  private String commandList() {
    int widest = added.stream().mapToInt(one -> one.name().length()).max().orElse(0);
    Map<Group, String> sections = new EnumMap<>(Group.class);
    for (Added one : added) {
      String title = "%n%s%n".formatted(one.group.title());
      CommandLine command = root.getSubcommands().get(one.name());
      String line = line(one.name(), command == null ? "" : about(command), widest);
      sections.merge(one.group, title + line, (before, any) -> before + line);
    }
    return String.join("", sections.values()) + exitCodes();
  }

  private static String exitCodes() {
    StringBuilder lines = new StringBuilder("%nExit codes%n".formatted());
    for (Exit exit : Exit.values()) {
      lines.append(line(Integer.toString(exit.code()), exit.about(), 1));
    }
    return lines.toString();
  }

  private static String line(String name, String about, int widest) {
    return "  %s%s  %s%n".formatted(name, " ".repeat(widest - name.length()), about);
  }

  /** The first line of a command's description. */
  private static String about(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : Help.Ansi.OFF.string(description[0]);
  }
}
