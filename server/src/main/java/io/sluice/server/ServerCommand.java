package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.server.config.Commands;
import io.sluice.server.config.Config;
import io.sluice.server.config.Settings;
import java.security.SecureRandom;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code sluice server}: a server from its flags to its end. */
final class ServerCommand {
  private final Console console;

  private ServerCommand(Console console) {
    this.console = console;
  }

  static CommandSpec of(Console console) {
    CommandSpec command = Commands.of(new ServerCommand(console)::run).name("server");
    command
        .usageMessage()
        .customSynopsis("sluice server [FLAG]...")
        .description("Serves the API, delivers jobs, and does what a queue needs done.");
    return command;
  }

  private int run(ParseResult parsed) {
    Settings settings = Commands.settings(parsed, console.variables());
    settings.warnings().forEach(warning -> console.say("warning: " + warning));
    List<String> problems = Preflight.ofStart(settings);
    if (problems.isEmpty()) {
      return serve(settings.config());
    }
    problems.forEach(console::say);
    console.err().println("sluice server --help shows what there is");
    return Exit.MISUSED.code();
  }

  private int serve(Config config) {
    Logging.start(config.running().verbose());
    Launch launch = new Launch(config, console.out(), console.screen().shows(), new SecureRandom());
    Runtime.getRuntime().addShutdownHook(new Thread(launch::close, "stop"));
    Signals.handle();
    try {
      launch.start();
      launch.await();
      return Exit.OK.code();
    } catch (Launch.Stopped e) {
      return Exit.OK.code();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Exit.FAILED.code();
    } catch (RuntimeException e) {
      console.say("cannot start: " + Trouble.words(e));
      if (config.running().verbose()) {
        e.printStackTrace(console.err());
      }
      return Exit.FAILED.code();
    }
  }
}
