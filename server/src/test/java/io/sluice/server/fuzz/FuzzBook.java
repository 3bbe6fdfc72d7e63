package io.sluice.server.fuzz;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** The record of a run: how often each operation was answered what, and the faults, alike ones once. */
final class FuzzBook {
  private static final int MOST_SHOWN = 40;

  private final long seed;
  private final ConcurrentMap<String, ConcurrentMap<Integer, AtomicInteger>> answers =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<String, AtomicInteger> kinds = new ConcurrentHashMap<>();
  private final Map<String, FuzzFault> faults = new LinkedHashMap<>();
  private final Map<String, Integer> times = new TreeMap<>();
  private final AtomicReference<Slowest> slowest = new AtomicReference<>(new Slowest("", 0));

  /** The answer that took longest. */
  private record Slowest(String operation, long millis) {}

  FuzzBook(long seed) {
    this.seed = seed;
  }

  void answered(String operation, String kind, FuzzAnswer answer) {
    answers
        .computeIfAbsent(operation, any -> new ConcurrentHashMap<>())
        .computeIfAbsent(answer.status(), any -> new AtomicInteger())
        .incrementAndGet();
    kinds.computeIfAbsent(kind, any -> new AtomicInteger()).incrementAndGet();
    slowest.accumulateAndGet(
        new Slowest(operation, answer.millis()),
        (one, other) -> one.millis() >= other.millis() ? one : other);
  }

  synchronized void add(FuzzFault fault) {
    if (faults.putIfAbsent(fault.likeness(), fault) == null) {
      System.out.println("fuzz: a fault, with the seed " + seed + "\n" + fault);
    }
    times.merge(fault.likeness(), 1, Integer::sum);
  }

  synchronized List<FuzzFault> faults() {
    return List.copyOf(faults.values());
  }

  /** The answers to an operation by status. */
  Map<Integer, Integer> statuses(String operation) {
    return answers.getOrDefault(operation, new ConcurrentHashMap<>()).entrySet().stream()
        .collect(Collectors.toMap(
            Map.Entry::getKey, entry -> entry.getValue().get(), Integer::sum, TreeMap::new));
  }

  private Map<Integer, Integer> statuses() {
    Map<Integer, Integer> all = new TreeMap<>();
    answers
        .keySet()
        .forEach(operation ->
            statuses(operation).forEach((status, count) -> all.merge(status, count, Integer::sum)));
    return all;
  }

  /** Notes each operation that was not called, or not answered 2xx where that is asked for. */
  void checkCoverage(List<ApiOperation> operations, boolean asksForGood) {
    for (ApiOperation operation : operations) {
      Map<Integer, Integer> found = statuses(operation.id());
      boolean isGood = found.keySet().stream().anyMatch(status -> status >= 200 && status < 300);
      if (found.isEmpty() || (asksForGood && !isGood)) {
        add(FuzzFault.of(Oracle.COVERAGE, operation + " was answered " + found));
      }
    }
  }

  /** The figures in one line. */
  String figures() {
    return "answers by status " + statuses() + ", by kind " + new TreeMap<>(kinds) + ", slowest "
        + slowest.get().operation() + " with "
        + slowest.get().millis() + " ms";
  }

  /** How far each operation was called and answered 2xx. */
  String coverage(List<ApiOperation> operations) {
    long good = operations.stream()
        .filter(one -> statuses(one.id()).keySet().stream().anyMatch(s -> s >= 200 && s < 300))
        .count();
    long called =
        operations.stream().filter(one -> !statuses(one.id()).isEmpty()).count();
    return called + " of " + operations.size() + " operations called, " + good + " answered 2xx";
  }

  /** The faults with all that one needs to see them again. */
  synchronized String report() {
    return faults.values().stream()
        .limit(MOST_SHOWN)
        .map(fault -> times.get(fault.likeness()) + " x " + fault)
        .collect(Collectors.joining(
            "\n\n",
            "seed " + seed + " (again with -Dsluice.seed=" + seed + "): " + faults.size()
                + " kinds of faults\n\n",
            "\n"));
  }
}
