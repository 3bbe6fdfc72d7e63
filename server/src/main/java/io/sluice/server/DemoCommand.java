package io.sluice.server;

import io.sluice.JobState;
import io.sluice.cli.CommandException;
import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.server.config.Commands;
import io.sluice.server.demo.Demo;
import io.sluice.server.rest.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice demo}: a server, a receiver and traffic between them, until somebody ends it. */
@Command(
    name = "demo",
    description = {
      "Starts a server with a receiver and traffic, so that there is something to see.",
      "What it makes is thrown away at its end, unless --data names a folder."
    },
    footer = {"", "sluice demo", "sluice demo --rate 50 --for 30s"})
final class DemoCommand implements Callable<Integer> {
  private static final int USUAL_PORT = 7070;
  private static final double MOST = 1_000;
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(3);
  private static final Duration BETWEEN_FRAMES = Duration.ofMillis(500);

  private final Console console;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "port of the server (7070, or a free one where that is taken)")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "data folder, which is kept (a temporary one, which is removed)")
  private @Nullable Path data;

  @Option(names = "--rate", paramLabel = "N", description = "jobs in a second (5)")
  private double rate = 5;

  @Option(names = "--for", paramLabel = "TIME", description = "ends after so long, such as 30s")
  private @Nullable String lasting;

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (!(rate > 0 && rate <= MOST)) {
      throw new CommandException(Exit.MISUSED, "--rate must be more than 0 and at most 1000");
    }
    Duration time = lasting();
    Logging.off();
    try (Stops stops = new Stops()) {
      // Also where a signal ends it: what is stopped twice stops once.
      Runtime.getRuntime().addShutdownHook(new Thread(stops::close, "stop"));
      Signals.handle();
      run(stops, time);
      return Exit.OK.code();
    } catch (Launch.Stopped e) {
      return Exit.OK.code();
    } catch (RuntimeException e) {
      console.say(
          "the demo cannot go on: " + Trouble.words(e).replace(" (--verbose shows where)", ""));
      return Exit.FAILED.code();
    }
  }

  private @Nullable Duration lasting() {
    try {
      return lasting == null ? null : Durations.parse(lasting);
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          Exit.MISUSED, "--for must be a duration such as 30s, was " + lasting);
    }
  }

  private void run(Stops stops, @Nullable Duration time) throws IOException, InterruptedException {
    Path folder = folder(stops);
    // Nothing of the environment: a database that is named there is somebody's.
    Launch launch = new Launch(
        Commands.config(
            List.of(
                "--data",
                folder.toString(),
                "--port",
                String.valueOf(port()),
                "--drain",
                "1s",
                "--allow-target",
                "127.0.0.0/8"),
            Map.of()),
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
        false,
        new SecureRandom());
    stops.add("server", launch::close);
    console.out().println("Starting a server in " + folder);
    launch.start();
    String address = Files.readString(folder.resolve(Console.ADDRESS_FILE)).strip();
    String key = Files.readString(folder.resolve("admin.key")).strip();
    Demo demo = new Demo(address, key, new SplittableRandom());
    stops.add("demo", demo::close);
    demo.start(rate);
    introduce(address, key, folder, demo);
    watch(demo, time);
  }

  private Path folder(Stops stops) throws IOException {
    if (data != null) {
      return data;
    }
    Path folder = Files.createTempDirectory("sluice-demo");
    stops.add("folder", () -> DataFolder.remove(folder));
    return folder;
  }

  private int port() {
    if (port != null) {
      return port;
    }
    try (ServerSocket socket = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      return 0; // taken: any other will do
    }
  }

  private void introduce(String address, String key, Path folder, Demo demo) {
    console.out().print("""
        Sluice ready on %s

          receiver    %s  with /good /slow /flaky /broken
          URL group   shop: its requests are signed
          queues      orders, reports, emails: the last is worked on by a pull worker
          data        %s%s

        Try in another terminal:

          export SLUICE_SERVER=%s
          export SLUICE_KEY=%s
          ./sluice stats
          ./sluice jobs list
          ./sluice dlq list
          ./sluice enqueue %s/flaky

        Ctrl-C ends it.

        """.formatted(
            address,
            demo.receiver(),
            folder,
            data == null ? ", removed at the end" : "",
            address,
            key,
            demo.receiver()));
  }

  private void watch(Demo demo, @Nullable Duration time) throws InterruptedException {
    boolean live = console.screen().shows();
    Instant end = time == null ? Instant.MAX : console.pace().instant().plus(time);
    Duration left = Duration.ofNanos(1);
    while (left.isPositive()) {
      String line = status(demo.states());
      console.out().print(live ? "\r\033[2K" + line : line + System.lineSeparator());
      console.out().flush();
      left = time == null ? BETWEEN_LINES : Duration.between(console.pace().instant(), end);
      Duration pause = live ? BETWEEN_FRAMES : BETWEEN_LINES;
      if (left.isPositive() && !console.pace().pause(left.compareTo(pause) < 0 ? left : pause)) {
        return;
      }
    }
    if (live) {
      console.out().println();
    }
  }

  private static String status(Map<JobState, Long> states) {
    return "%d completed, %d running, %d waiting, %d for later, %d to be retried, %d dead"
        .formatted(
            states.getOrDefault(JobState.COMPLETED, 0L),
            states.getOrDefault(JobState.RUNNING, 0L),
            states.getOrDefault(JobState.PENDING, 0L),
            states.getOrDefault(JobState.SCHEDULED, 0L),
            states.getOrDefault(JobState.RETRYING, 0L),
            states.getOrDefault(JobState.DEAD, 0L));
  }
}
