package io.sluice.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice metrics}. */
@Operation("readMetrics")
@Command(
    name = "metrics",
    description = "Prints the figures of a server in the form that Prometheus reads.",
    footer = {"", "Example", "  sluice metrics --match sluice_jobs"})
final class MetricsCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--match", paramLabel = "TEXT", description = "only lines with this text in them")
  private @Nullable String match;

  @Mixin
  private Target target = new Target();

  MetricsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    String wanted = match == null ? "" : match;
    target
        .open(console)
        .text("/metrics")
        .lines()
        .filter(line -> line.contains(wanted))
        .forEach(console.out()::println);
    return Exit.OK.code();
  }
}
