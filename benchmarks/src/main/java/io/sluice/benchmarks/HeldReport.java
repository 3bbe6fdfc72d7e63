package io.sluice.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** What a run with a held snapshot showed: as a table, as data, as a picture. */
final class HeldReport {
  private static final double MIB = 1 << 20;
  private static final String BLUE = "#1f6fb2";
  private static final String ORANGE = "#d1601f";
  private static final String GREEN = "#3c8d5a";

  private final List<HeldSample> samples;

  HeldReport(List<HeldSample> samples) {
    this.samples = List.copyOf(samples);
  }

  /** The run in stretches: before, the first and the last third of the holding, after. */
  private Map<String, List<HeldSample>> stretches() {
    int first = 0;
    while (first < samples.size() - 1 && !samples.get(first).held()) {
      first++;
    }
    int end = first;
    while (end < samples.size() && samples.get(end).held()) {
      end++;
    }
    int third = Math.max(1, (end - first) / 3);
    Map<String, List<HeldSample>> stretches = new LinkedHashMap<>();
    stretches.put("before", samples.subList(0, first));
    stretches.put("held, first third", samples.subList(first, first + third));
    stretches.put("held, last third", samples.subList(end - third, end));
    stretches.put("after", samples.subList(end, samples.size()));
    return stretches;
  }

  String asTable() {
    StringBuilder table = new StringBuilder();
    table.append("%-20s %12s %12s %12s %12s %10s %10s %12s %8s%n"
        .formatted(
            "median of samples",
            "claim p50 ms",
            "claim p99 ms",
            "start p50 ms",
            "start p99 ms",
            "jobs/s",
            "waiting",
            "dead rows",
            "MiB"));
    stretches()
        .forEach((name, some) -> table.append(String.format(
            Locale.ROOT,
            "%-20s %12.2f %12.2f %12.2f %12.2f %,10.0f %,10.0f %,12.0f %8.1f%n",
            name,
            median(some, HeldSample::claimP50),
            median(some, HeldSample::claimP99),
            median(some, HeldSample::startP50),
            median(some, HeldSample::startP99),
            median(some, HeldSample::donePerSecond),
            median(some, HeldSample::waiting),
            median(some, sample -> sum(sample, HeldSample.HotTable::dead)),
            median(some, sample -> sum(sample, HeldSample.HotTable::bytes)) / MIB)));
    return table.toString();
  }

  private static double median(List<HeldSample> some, ToDoubleFunction<HeldSample> value) {
    double[] sorted = some.stream().mapToDouble(value).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static double sum(HeldSample sample, ToDoubleFunction<HeldSample.HotTable> value) {
    return sample.tables().values().stream().mapToDouble(value).sum();
  }

  Map<String, Object> asData() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("java", System.getProperty("java.version"));
    data.put("processors", Runtime.getRuntime().availableProcessors());
    data.put("jobsPerSecond", HeldRun.JOBS_PER_SECOND);
    data.put("samples", samples);
    return data;
  }

  String asPicture() {
    List<Double> minutes = values(sample -> sample.second() / 60);
    return new Plot(
            "A snapshot held by another session, at a steady 1,000 jobs a second",
            "Nothing that is done while it is held can be cleaned away. Each point is a stretch of %.1f s."
                .formatted(samples.getFirst().second()),
            minutes,
            held(),
            List.of(
                new Plot.Panel(
                    "Time of a claim, ms",
                    true,
                    List.of(
                        new Plot.Line("p50", BLUE, values(HeldSample::claimP50)),
                        new Plot.Line("p99", ORANGE, values(HeldSample::claimP99)))),
                new Plot.Panel(
                    "Jobs",
                    false,
                    List.of(
                        new Plot.Line("done a second", GREEN, values(HeldSample::donePerSecond)),
                        new Plot.Line("waiting", ORANGE, values(HeldSample::waiting)))),
                new Plot.Panel(
                    "Dead rows, thousands",
                    false,
                    List.of(
                        new Plot.Line("ready", BLUE, of("ready", t -> t.dead() / 1e3)),
                        new Plot.Line("running", ORANGE, of("running", t -> t.dead() / 1e3)))),
                new Plot.Panel(
                    "Size with indexes, MiB",
                    false,
                    List.of(
                        new Plot.Line("ready", BLUE, of("ready", t -> t.bytes() / MIB)),
                        new Plot.Line("running", ORANGE, of("running", t -> t.bytes() / MIB))))))
        .svg();
  }

  private Plot.Span held() {
    DoubleStream held = samples.stream().filter(HeldSample::held).mapToDouble(s -> s.second() / 60);
    double[] moments = held.sorted().toArray();
    double step = samples.getFirst().second() / 60;
    return moments.length == 0
        ? new Plot.Span("", 0, 0)
        : new Plot.Span("snapshot held", moments[0] - step, moments[moments.length - 1]);
  }

  private List<Double> of(String table, ToDoubleFunction<HeldSample.HotTable> value) {
    HeldSample.HotTable none = new HeldSample.HotTable(0, 0);
    return values(s -> value.applyAsDouble(s.tables().getOrDefault(table, none)));
  }

  private List<Double> values(ToDoubleFunction<HeldSample> value) {
    return samples.stream().mapToDouble(value).boxed().toList();
  }
}
