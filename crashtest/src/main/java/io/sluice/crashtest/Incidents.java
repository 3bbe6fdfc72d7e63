package io.sluice.crashtest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What happened to processes and connections, from when to when, and what it may explain. */
final class Incidents {
  /** Something that befell a process, or everybody when the name is empty. */
  record Incident(FaultKind cause, String who, long from, long to) {
    boolean touches(long begin, long end) {
      return from <= end && begin <= to;
    }

    boolean isAt(String process) {
      return who.isEmpty() || who.equals(process);
    }
  }

  private final List<Incident> all = new ArrayList<>();

  Incidents(List<Entry> history) {
    Map<Integer, Entry.Begin> open = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.Begin begin -> open.put(begin.fault(), begin);
        case Entry.Over over -> {
          Entry.Begin begin = open.remove(over.fault());
          if (begin != null) {
            add(begin, over.at());
          }
        }
        case Entry.Stall stall -> {
          String who = stall.who().equals(Watchman.DATABASE) ? "" : stall.who();
          all.add(new Incident(FaultKind.STALL, who, stall.since(), stall.at()));
        }
        default -> {
          // Nothing went wrong.
        }
      }
    }
    open.values().forEach(begin -> add(begin, Long.MAX_VALUE));
  }

  private void add(Entry.Begin begin, long over) {
    FaultKind kind = begin.kind();
    boolean forEver = kind == FaultKind.KILL_WORKER || over == Long.MAX_VALUE;
    long to = forEver ? Long.MAX_VALUE : over + kind.aftermath().toNanos();
    all.add(new Incident(kind, begin.who(), begin.at(), to));
  }

  /** The gravest thing that befell one of these processes in that time and could end a claim. */
  Optional<FaultKind> cause(Set<String> processes, long from, long to) {
    return all.stream()
        .filter(i -> i.cause().harmsWorkers() && i.touches(from, to))
        .filter(i -> processes.stream().anyMatch(i::isAt))
        .map(Incident::cause)
        .min(Comparator.naturalOrder());
  }

  /** When something first befell the process, in that time, after which its claims may have ended. */
  OptionalLong endOfLeases(String process, long from, long to) {
    return all.stream()
        .filter(i -> i.cause().endsLeases() && i.touches(from, to) && i.isAt(process))
        .mapToLong(Incident::from)
        .min();
  }

  /** True when nothing befell the process, nor the database, in that time. */
  boolean isHealthy(String process, long from, long to) {
    return cause(Set.of(process), from, to).isEmpty();
  }

  /** As {@link #isHealthy}, but that the database's clock may have been stepped. */
  boolean isHealthyByAnyClock(String process, long from, long to) {
    return all.stream()
        .filter(i -> i.cause().harmsWorkers() && i.cause() != FaultKind.CLOCK_STEP)
        .noneMatch(i -> i.touches(from, to) && i.isAt(process));
  }

  /** As {@link #isHealthy}, of a producer, whose own faults end no claims. */
  boolean isUntouched(String process, long from, long to) {
    return all.stream()
        .filter(i -> i.cause() != FaultKind.OPEN_TRANSACTION)
        .noneMatch(i -> i.touches(from, to) && i.isAt(process));
  }

  /** The deaths of workers: who and when. */
  Map<String, Long> deaths() {
    Map<String, Long> deaths = new HashMap<>();
    all.stream()
        .filter(i -> i.cause() == FaultKind.KILL_WORKER)
        .forEach(i -> deaths.put(i.who(), i.from()));
    return deaths;
  }

  long count(FaultKind kind) {
    return all.stream().filter(i -> i.cause() == kind).count();
  }

  Duration longestStall() {
    return all.stream()
        .filter(i -> i.cause() == FaultKind.STALL)
        .map(i -> Duration.ofNanos(i.to() - i.from()))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }
}
