package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.server.backup.BackupFile;
import io.sluice.server.backup.Restore;
import io.sluice.server.config.Commands;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code sluice restore FILE}: a backup into an empty database, whole or not at all. */
final class RestoreCommand {
  private final Console console;

  private RestoreCommand(Console console) {
    this.console = console;
  }

  static CommandSpec of(Console console) {
    CommandSpec command = Commands.of(new RestoreCommand(console)::run).name("restore");
    command.addPositional(PositionalParamSpec.builder()
        .paramLabel("FILE")
        .type(Path.class)
        .arity("0..1")
        .description("the backup")
        .build());
    command
        .usageMessage()
        .customSynopsis("sluice restore FILE [FLAG]...")
        .description(
            "Puts a backup into a new data folder or an empty schema, whole or not at all.",
            "",
            "  cp master.key new-data/ && sluice restore sluice.backup --data new-data",
            "",
            "Jobs that ran when the backup was made run again. Flags as of the server.");
    return command;
  }

  private int run(ParseResult parsed) {
    try {
      Config config = Commands.settings(parsed, console.variables()).config();
      Path file = parsed.matchedPositionalValue(0, null);
      if (file == null) {
        console.say("FILE is missing: sluice restore sluice.backup");
        return Exit.MISUSED.code();
      }
      return read(config, file.normalize());
    } catch (ConfigException e) {
      e.problems().forEach(console::say);
      console.err().println("sluice restore --help shows what there is");
      return Exit.MISUSED.code();
    } catch (RuntimeException e) {
      console.say(Trouble.words(e));
      return Exit.FAILED.code();
    }
  }

  private int read(Config config, Path file) {
    KeptKeys keys = new KeptKeys(config);
    try (BackupFile backup = BackupFile.open(file)) {
      keys.requireFor(backup);
      try (DatabaseVisit visit = DatabaseVisit.made(config)) {
        new Restore(visit.database(), visit.schema(), visit.migrators())
            .read(backup, BackupCommand.progress(console, config), () -> keys.takeFrom(backup));
      }
      console
          .out()
          .println("Restored " + file + ": " + backup.manifest().summary() + ", as they were at "
              + backup.manifest().createdAt()
              + "; what was delivered since then may be delivered again");
      return Exit.OK.code();
    }
  }
}
