package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.server.backup.Backup;
import io.sluice.server.backup.Manifest;
import io.sluice.server.config.Commands;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code sluice backup FILE}: everything in the database, as it is at one moment, in one file. */
final class BackupCommand {
  private static final String FORCE = "--force";
  private static final String WITH_KEYS = "--with-keys";

  private final Console console;

  private BackupCommand(Console console) {
    this.console = console;
  }

  static CommandSpec of(Console console) {
    CommandSpec command = Commands.of(new BackupCommand(console)::run).name("backup");
    command.addPositional(PositionalParamSpec.builder()
        .paramLabel("FILE")
        .type(Path.class)
        .arity("0..1")
        .description("where to write it")
        .build());
    command.addOption(OptionSpec.builder(FORCE)
        .type(boolean.class)
        .arity("0")
        .description("overwrites a file that is there")
        .build());
    command.addOption(OptionSpec.builder(WITH_KEYS)
        .type(boolean.class)
        .arity("0")
        .description("puts master.key and admin.key into the file: whoever has it has everything")
        .build());
    command
        .usageMessage()
        .customSynopsis("sluice backup FILE [--force] [--with-keys] [FLAG]...")
        .description(
            "Writes everything in the database into a file, while the server runs or not.",
            "",
            "  sluice backup sluice.backup",
            "  sluice backup --database-url jdbc:postgresql://db/sluice /backups/monday.backup",
            "",
            "The master key is not in it: keep a copy of master.key elsewhere. Flags as of the server.");
    return command;
  }

  private int run(ParseResult parsed) {
    try {
      Config config = Commands.settings(parsed, console.variables()).config();
      Path file = parsed.matchedPositionalValue(0, null);
      if (file == null) {
        console.say("FILE is missing: sluice backup sluice.backup");
        return Exit.MISUSED.code();
      }
      return write(config, parsed, file.normalize());
    } catch (ConfigException e) {
      e.problems().forEach(console::say);
      console.err().println("sluice backup --help shows what there is");
      return Exit.MISUSED.code();
    } catch (RuntimeException e) {
      console.say(Trouble.words(e));
      return Exit.FAILED.code();
    }
  }

  /** The tables are an inner matter: they are told to those who want to see everything. */
  static Backup.Progress progress(Console console, Config config) {
    return config.running().verbose()
        ? (table, rows) -> console.say(table + ": " + rows + " rows")
        : (table, rows) -> {};
  }

  private int write(Config config, ParseResult parsed, Path file) {
    boolean withKeys = parsed.hasMatchedOption(WITH_KEYS);
    KeptKeys keys = new KeptKeys(config);
    Manifest manifest;
    try (DatabaseVisit visit = DatabaseVisit.there(config)) {
      manifest = new Backup(
              visit.database(),
              visit.schema(),
              visit.migrators(),
              InstantSource.system(),
              Version.current())
          .write(
              new Backup.Order(
                  file, parsed.hasMatchedOption(FORCE), withKeys ? keys.all() : Map.of()),
              progress(console, config));
    }
    console
        .out()
        .println("Wrote " + file + ": " + manifest.summary() + ", as they were at "
            + manifest.createdAt());
    if (withKeys) {
      console.say("the keys are in it: whoever has the file has every secret");
    } else if (!manifest.masterKeys().isEmpty()) {
      console.say("the master key " + String.join(", ", manifest.masterKeys())
          + " is not in it, and without it stored credentials do not open: keep a copy elsewhere");
    }
    if (config.work().store() == Store.MEMORY) {
      console.say("jobs of a store in memory are not in it");
    }
    return Exit.OK.code();
  }
}
