package io.sluice.crashtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The history, put in order by what it is about. */
final class Timeline {
  /** One run of a handler; without an end when its process died or still runs it. */
  record Run(Entry.Start start, Entry.@Nullable End end) {
    String who() {
      return start.who();
    }

    long at() {
      return start.at();
    }

    int turn() {
      return start.turn();
    }

    boolean endedAs(Entry.How how) {
      return end != null && end.how() == how;
    }
  }

  private final Map<String, Entry.Invoke> invokes = new LinkedHashMap<>();
  private final Map<String, List<Entry.Ok>> oks = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();
  private final Map<UUID, List<Run>> runs = new HashMap<>();
  private final Map<String, Run> byName = new HashMap<>();
  private final Map<String, Long> ready = new HashMap<>();
  private final List<Entry.Overdue> overdue = new ArrayList<>();
  private final List<Entry.Slots> slots = new ArrayList<>();
  private final List<Entry.Tally> tallies = new ArrayList<>();
  private final Map<String, Integer> counted = new LinkedHashMap<>();
  private final List<Entry.Granted> granted = new ArrayList<>();
  private final List<Entry.Held> held = new ArrayList<>();
  private final List<Entry.Recorded> recorded = new ArrayList<>();
  private final List<Entry.BatchSeen> batches = new ArrayList<>();
  private final Set<String> pinned = new HashSet<>();
  private final Incidents incidents;

  Timeline(List<Entry> history) {
    Map<String, Entry.End> ends = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.Ready e -> ready.put(e.who(), e.at());
        case Entry.Invoke e -> invokes.putIfAbsent(e.key(), e);
        case Entry.Ok e -> oks.computeIfAbsent(e.key(), k -> new ArrayList<>()).add(e);
        case Entry.Unknown e -> unsure.add(e.key());
        case Entry.End e -> ends.put(e.run(), e);
        case Entry.Overdue e -> overdue.add(e);
        case Entry.Slots e -> slots.add(e);
        case Entry.Tally e -> tallies.add(e);
        case Entry.Counted e -> counted.put(e.queue(), e.running());
        case Entry.Granted e -> granted.add(e);
        case Entry.Held e -> held.add(e);
        case Entry.Recorded e -> recorded.add(e);
        case Entry.BatchSeen e -> batches.add(e);
        case Entry.Pinned e -> pinned.add(e.what());
        default -> {
          // Of the incidents, or said with another entry.
        }
      }
    }
    for (Entry entry : history) {
      if (entry instanceof Entry.Start start) {
        Run run = new Run(start, ends.get(start.run()));
        byName.put(start.run(), run);
        runs.computeIfAbsent(start.job(), j -> new ArrayList<>()).add(run);
      }
    }
    runs.values()
        .forEach(list -> list.sort(Comparator.comparingInt(Run::turn).thenComparingLong(Run::at)));
    incidents = new Incidents(history);
  }

  Map<String, Entry.Invoke> invokes() {
    return invokes;
  }

  List<Entry.Ok> oks(String key) {
    return oks.getOrDefault(key, List.of());
  }

  Set<String> acknowledged() {
    return oks.keySet();
  }

  Set<String> unsure() {
    return unsure;
  }

  Map<UUID, List<Run>> runs() {
    return runs;
  }

  /** The runs of a job in the order of their claims. */
  List<Run> runs(UUID job) {
    return runs.getOrDefault(job, List.of());
  }

  Optional<Run> run(@Nullable String name) {
    return Optional.ofNullable(name).map(byName::get);
  }

  /** Worker processes that were ready for work at a time. */
  List<String> workersReadyAt(long moment) {
    return ready.entrySet().stream()
        .filter(e -> e.getKey().startsWith("worker") && e.getValue() <= moment)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** True when a worker other than this one was ready, and well from then to then. */
  boolean somebodyIsWell(String butNot, long from, long to) {
    return workersReadyAt(from).stream()
        .filter(worker -> !worker.equals(butNot))
        .anyMatch(worker -> incidents.isHealthy(worker, from, to));
  }

  /** Every run of this type of work. */
  List<Run> runs(String type) {
    Set<Long> numbers = invokes.values().stream()
        .map(Entry.Invoke::work)
        .filter(work -> work.type().equals(type))
        .map(Work::seq)
        .collect(Collectors.toSet());
    return byName.values().stream()
        .filter(run -> numbers.contains(run.start().seq()))
        .sorted(Comparator.comparingLong(Run::at))
        .toList();
  }

  List<Entry.Slots> slots() {
    return slots;
  }

  /** What the store counted as running at last, by queue. */
  Map<String, Integer> counted() {
    return counted;
  }

  /** What was seen of the counts of the batch. */
  List<Entry.Tally> tallies() {
    return tallies;
  }

  /** What was seen at the end of the batches among other jobs. */
  List<Entry.BatchSeen> batches() {
    return batches;
  }

  List<Entry.Granted> granted() {
    return granted;
  }

  /** Claims that were seen when they were older than a lease. */
  List<Entry.Held> held() {
    return held;
  }

  /** Outcomes that the store said it took, in the order of time. */
  List<Entry.Recorded> recorded() {
    return recorded;
  }

  /** True when a caller's open transaction held this key, queue or job at some time. */
  boolean isPinned(String what) {
    return pinned.contains(what);
  }

  List<Entry.Overdue> overdue() {
    return overdue;
  }

  Incidents incidents() {
    return incidents;
  }
}
