package io.sluice.server;

import io.sluice.server.config.Commands;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** The program: {@code sluice server}. */
public final class Main {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  private Main(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  public static void main(String[] arguments) {
    System.exit(new Main(System.out, System.err).run(List.of(arguments), System.getenv()));
  }

  private int run(List<String> arguments, Map<String, String> variables) {
    try {
      return switch (Commands.read(arguments, variables, Version.current())) {
        case Commands.Show show -> show(show);
        case Commands.Serve serve -> serve(serve.config());
      };
    } catch (ConfigException e) {
      e.problems().forEach(problem -> err.println("sluice: " + problem));
      err.println("sluice server --help shows what there is");
      return MISUSED;
    }
  }

  private int show(Commands.Show show) {
    out.print(show.text());
    return 0;
  }

  private int serve(Config config) {
    Logging.start(config.running().verbose());
    Launch launch = new Launch(config, out, new SecureRandom());
    Runtime.getRuntime().addShutdownHook(new Thread(launch::close, "stop"));
    Signals.handle();
    try {
      launch.start();
      launch.await();
      return 0;
    } catch (Launch.Stopped e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (RuntimeException e) {
      err.println("sluice: cannot start: " + Trouble.words(e));
      if (config.running().verbose()) {
        e.printStackTrace(err);
      }
      return FAILED;
    }
  }
}
