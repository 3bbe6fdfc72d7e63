package io.sluice.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A whole benchmark: rounds of measures over the stores, a table, and the same as data. */
public final class Run {
  private static final int CALLERS = 16;
  private static final String BARE = "bare inserts/s, 16 connections";

  private final Size size;
  private final Figures figures = new Figures();

  private Run(Size size) {
    this.size = size;
  }

  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.of(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (options.quick()) {
      say("a smoke: too little is done for the figures to mean anything");
    }
    switch (options.kind()) {
      case STORES -> new Run(options.quick() ? Size.QUICK : Size.FULL).run(options);
      case HELD_SNAPSHOT -> held(options);
      case FLOW -> flow(options);
      case CROWD -> crowd(options);
      case WORKFLOWS -> workflows(options);
    }
  }

  private static void held(Options options) throws Exception {
    Duration time = Duration.ofMillis(Math.round(options.heldMinutes() * 60_000));
    say("a snapshot is held for " + time + ", with a fifth of that before and after");
    HeldReport report = new HeldReport(new HeldRun(time).run());
    System.out.print(report.asTable());
    Files.writeString(options.plot(), report.asPicture());
    say("wrote " + options.plot());
    if (options.json() != null) {
      write(options.json(), report.asData());
    }
  }

  private static void flow(Options options) throws Exception {
    FlowRun.Extent extent = options.quick() ? FlowRun.Extent.QUICK : FlowRun.Extent.FULL;
    tell(options, extent.rounds(), new FlowRun(extent).run(Run::say));
  }

  private static void crowd(Options options) throws Exception {
    CrowdRun.Extent extent = options.quick() ? CrowdRun.Extent.QUICK : CrowdRun.Extent.FULL;
    tell(options, extent.rounds(), new CrowdRun(extent).run(Run::say));
  }

  private static void workflows(Options options) throws Exception {
    WorkflowRun.Extent extent =
        options.quick() ? WorkflowRun.Extent.QUICK : WorkflowRun.Extent.FULL;
    tell(options, extent.rounds(), new WorkflowRun(extent).run(Run::say));
  }

  private static void tell(Options options, int rounds, Figures figures) throws IOException {
    System.out.println();
    System.out.print(figures.asTable());
    if (options.json() != null) {
      write(options.json(), asData(options, rounds, figures));
    }
  }

  private void run(Options options) throws Exception {
    try (Database database = new Database()) {
      for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
        say(setting + " = " + database.ask("show " + setting));
      }
      if (!size.equals(Size.QUICK)) {
        say("warming up");
        new Run(Size.WARM_UP).round(database);
      }
      for (int round = 1; round <= size.rounds(); round++) {
        say("round " + round + " of " + size.rounds());
        round(database);
      }
    }
    multiples();
    tell(options, size.rounds(), figures);
  }

  private void round(Database database) throws Exception {
    List<Double> bare = new ArrayList<>();
    bare.add(bareInserts(database));
    measure(new Subject.Memory());
    bare.add(bareInserts(database));
    Subject.Postgres postgres = new Subject.Postgres(database);
    measure(postgres);
    step("postgres: drain under a held snapshot");
    try (HeldSnapshot held = new HeldSnapshot(database)) {
      new Measures(postgres, size, figures).drain("drained jobs/s, snapshot held", size.jobs());
    }
    bare.add(bareInserts(database));
    Collections.sort(bare);
    figures.add(BARE, bare.get(1));
  }

  /** The yardstick, taken three times in a round because disks have moods. */
  private double bareInserts(Database database) throws Exception {
    step("bare inserts");
    return database.bareInserts(CALLERS, size.singles());
  }

  private void measure(Subject subject) throws Exception {
    Measures measures = new Measures(subject, size, figures);
    step(subject.name() + ": single enqueue");
    measures.singleEnqueue();
    step(subject.name() + ": bulk enqueue");
    measures.bulkEnqueue();
    step(subject.name() + ": drain");
    measures.drain();
    step(subject.name() + ": drain with jobs waiting behind");
    measures.drain("drained jobs/s, many waiting", size.waiting());
    step(subject.name() + ": latency");
    measures.latency();
    measures.latencyAcross();
    step(subject.name() + ": slots");
    measures.slots();
  }

  /** The figures that can be compared between machines. */
  private void multiples() {
    for (String name : List.of(
        "postgres drained jobs/s",
        "postgres single enqueue/s, 16 callers",
        "postgres bulk enqueue/s",
        "memory drained jobs/s")) {
      figures.addMultiple(name, BARE, "bare inserts");
    }
    for (String store : List.of("memory ", "postgres ")) {
      figures.addMultiple(
          store + "drained jobs/s, many waiting", store + "drained jobs/s", "none waiting");
      figures.addMultiple(
          store + "jobs/s of 10 ms, 20 slots", store + "jobs/s of 10 ms, 1 slots", "1 slot");
    }
    figures.addMultiple(
        "postgres drained jobs/s, snapshot held", "postgres drained jobs/s", "no snapshot held");
  }

  private static Map<String, Object> asData(Options options, int rounds, Figures figures) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("java", System.getProperty("java.version"));
    data.put("processors", Runtime.getRuntime().availableProcessors());
    data.put("quick", options.quick());
    data.put("rounds", rounds);
    data.put("figures", figures.asData());
    return data;
  }

  private static void write(Path json, Map<String, Object> data) throws IOException {
    Files.writeString(json, JsonMapper.builder().build().writeValueAsString(data));
    say("wrote " + json);
  }

  private static void step(String what) {
    say("  " + what);
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
