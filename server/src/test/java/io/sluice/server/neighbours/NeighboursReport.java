package io.sluice.server.neighbours;

import io.sluice.server.neighbours.ServerWatch.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** What a run showed: as a table, as samples of each second, as a picture. */
final class NeighboursReport {
  /** The times at a second are those of the deliveries offered in so many seconds before. */
  private static final long WINDOW = 5_000_000_000L;

  private final List<PhaseFigures> phases;
  private final List<SecondSample> seconds;

  /** The memory at a second of the run, and how long deliveries took then. */
  record SecondSample(double second, MemorySample memory, PhaseFigures.Times times) {}

  NeighboursReport(List<PhaseFigures> phases, List<MemorySample> samples, List<Offer> offers) {
    this.phases = phases;
    this.seconds = new ArrayList<>();
    int from = 0;
    int to = 0;
    for (MemorySample sample : samples) {
      while (to < offers.size() && offers.get(to).at() <= sample.at()) {
        to++;
      }
      while (from < to && offers.get(from).at() < sample.at() - WINDOW) {
        from++;
      }
      double second = (sample.at() - samples.getFirst().at()) / 1e9;
      seconds.add(
          new SecondSample(second, sample, PhaseFigures.Times.of(offers.subList(from, to))));
    }
  }

  String table() {
    StringBuilder table = new StringBuilder("""
        | phase | sent | delivered | refused | lost | p50 ms | p99 ms | max ms | RSS MiB | heap MiB | checks | p99 bound ms |
        |---|---|---|---|---|---|---|---|---|---|---|---|
        """);
    double bound = phases.getFirst().bound();
    for (PhaseFigures figures : phases) {
      PhaseFigures.Deliveries deliveries = figures.deliveries();
      PhaseFigures.Times times = figures.times();
      table.append(String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %d | %d | %.1f | %.1f | %.1f | %.0f | %.0f | %d | %.0f: %s |%n",
          figures.phase(),
          deliveries.sent(),
          deliveries.delivered(),
          deliveries.refused(),
          deliveries.lost(),
          times.p50(),
          times.p99(),
          times.most(),
          figures.memory().resident(),
          figures.memory().heap(),
          figures.checks(),
          bound,
          times.p99() <= bound ? "within" : "OVER"));
    }
    table.append('\n');
    for (PhaseFigures figures : phases) {
      if (!figures.attack().isEmpty()) {
        table.append(
            figures.phase() + ": the attackers got " + new TreeMap<>(figures.attack()) + "\n");
      }
    }
    return table.toString();
  }

  private String csv() {
    StringBuilder csv =
        new StringBuilder("second,phase,resident_mib,heap_mib,p50_ms,p99_ms,max_ms\n");
    for (SecondSample sample : seconds) {
      csv.append(String.format(
          Locale.ROOT,
          "%.1f,%s,%.1f,%.1f,%.1f,%.1f,%.1f%n",
          sample.second(),
          sample.memory().phase(),
          sample.memory().resident(),
          sample.memory().heap(),
          sample.times().p50(),
          sample.times().p99(),
          sample.times().most()));
    }
    return csv.toString();
  }

  /** Writes table.md, samples.csv and neighbours.svg. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("table.md"), table());
    Files.writeString(folder.resolve("samples.csv"), csv());
    Files.writeString(folder.resolve("neighbours.svg"), new NeighboursChart(seconds).svg());
  }
}
