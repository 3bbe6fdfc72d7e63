package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.server.config.Commands;
import io.sluice.server.config.Reference;
import io.sluice.server.config.Settings;
import io.sluice.server.rest.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code sluice config}: every setting there is, and what is in force. */
final class ConfigCommand {
  private static final String JSON = "--json";

  private final Console console;

  private ConfigCommand(Console console) {
    this.console = console;
  }

  static CommandSpec of(Console console) {
    ConfigCommand command = new ConfigCommand(console);
    CommandSpec group = CommandSpec.create().name("config");
    group.usageMessage().description("Shows the settings of a server.");
    group.addSubcommand("show", command.show());
    group.addSubcommand("reference", command.reference());
    return group;
  }

  private CommandSpec show() {
    CommandSpec show = Commands.of(this::show).name("show");
    show.addOption(OptionSpec.builder(JSON)
        .type(boolean.class)
        .arity("0")
        .description("as JSON, for programs")
        .build());
    show.usageMessage()
        .customSynopsis("sluice config show [--json] [FLAG OF THE SERVER]...")
        .description(
            "Shows the value of every setting that a server started here would have, secrets hidden.",
            "It asks no running server: give the flags, the variables and the file that the server",
            "gets. Ends with 2 where it could not start with them.");
    return show;
  }

  private CommandSpec reference() {
    CommandSpec reference = CommandSpec.wrapWithoutInspection((Callable<Integer>) () -> {
      console.out().print(Reference.yaml());
      return Exit.OK.code();
    });
    reference
        .name("reference")
        .usageMessage()
        .description("Prints a config file with every setting, each explained.");
    return reference;
  }

  private record Shown(List<Settings.Line> settings, List<String> problems) {}

  private int show(ParseResult parsed) {
    Settings settings = Commands.settings(parsed, console.variables());
    List<String> problems = Preflight.ofSettings(settings);
    if (parsed.hasMatchedOption(JSON)) {
      console.out().println(new Json().text(new Shown(settings.lines(), problems)));
    } else {
      console.out().print(settings.table());
    }
    settings.warnings().forEach(warning -> console.say("warning: " + warning));
    problems.forEach(console::say);
    return (problems.isEmpty() ? Exit.OK : Exit.MISUSED).code();
  }
}
