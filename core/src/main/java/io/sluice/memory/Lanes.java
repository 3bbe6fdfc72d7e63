package io.sluice.memory;

import io.sluice.Lane;
import io.sluice.store.FlowRules;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every lane that has a job. Those with ready work and those with later work are known apart, so that
 * neither a look at the heads nor a promotion goes through the others. A lane's id is never used again.
 */
final class Lanes {
  /** The moment of a job that waits for others and has none. */
  private static final Instant NEVER = Instant.MAX;

  private final Map<Lane, LaneEntry> byLane = new HashMap<>();
  private final Map<Integer, LaneEntry> byId = new HashMap<>();
  private final NavigableMap<Integer, LaneEntry> filled = new TreeMap<>();
  /** The same lanes by their queue: a look at one goes through no other. */
  private final Map<QueueName, Map<Integer, LaneEntry>> filledOf = new HashMap<>();

  private final Set<LaneEntry> waiting = new LinkedHashSet<>();
  private int lastId;

  LaneEntry obtain(Lane lane, QueueBook queues, FlowRules rules) {
    LaneEntry entry = byLane.get(lane);
    if (entry == null) {
      QueueEntry queue = queues.obtain(QueueName.of(lane));
      entry = new LaneEntry(++lastId, lane, queue, rules.of(lane));
      byLane.put(lane, entry);
      byId.put(entry.id, entry);
    }
    return entry;
  }

  @Nullable
  LaneEntry find(Lane lane) {
    return byLane.get(lane);
  }

  @Nullable
  LaneEntry find(int id) {
    return byId.get(id);
  }

  /** Lets a lane go that has no job left: limit keys come and go without end. */
  void forgetIfEmpty(LaneEntry lane) {
    if (lane.isEmpty()) {
      byLane.remove(lane.lane);
      byId.remove(lane.id);
    }
  }

  /** Adds a job; true when it is the first of its lane and priority. */
  boolean addReady(JobEntry job) {
    Fifo fifo = job.lane.ready(job.priority());
    boolean first = fifo.isEmpty();
    if (first && filled.put(job.lane.id, job.lane) == null) {
      filledOf
          .computeIfAbsent(QueueName.of(job.lane.lane), q -> new HashMap<>())
          .put(job.lane.id, job.lane);
    }
    fifo.add(job);
    return first;
  }

  void removeReady(JobEntry job) {
    Fifo fifo = job.lane.ready(job.priority());
    fifo.remove(job);
    if (fifo.isEmpty() && job.lane.filled().findAny().isEmpty()) {
      filled.remove(job.lane.id);
      filledOf.computeIfPresent(QueueName.of(job.lane.lane), (queue, lanes) -> {
        lanes.remove(job.lane.id);
        return lanes.isEmpty() ? null : lanes;
      });
    }
  }

  void addLater(JobEntry job) {
    job.lane.later.add(momentOf(job), job);
    waiting.add(job.lane);
  }

  void removeLater(JobEntry job) {
    job.lane.later.remove(momentOf(job), job);
    if (job.lane.later.next() == null) {
      waiting.remove(job.lane);
    }
  }

  private static Instant momentOf(JobEntry job) {
    return job.wait == null ? Objects.requireNonNull(job.runAt) : NEVER;
  }

  LaneView look(Look look) {
    List<LaneEntry> window =
        filled.tailMap(look.after(), false).values().stream().limit(look.max()).toList();
    int upTo = upTo(look, window);
    Stream<LaneEntry> others = look.also().stream()
        .filter(id -> id <= look.after() || id > upTo)
        .flatMap(id -> Stream.ofNullable(filled.get(id)));
    List<LaneHead> heads = Stream.concat(window.stream(), others)
        .flatMap(LaneEntry::filled)
        .map(Fifo::head)
        .toList();
    return new LaneView(heads, upTo);
  }

  List<LaneHead> heads(QueueName queue) {
    return filledOf.getOrDefault(queue, Map.of()).values().stream()
        .flatMap(LaneEntry::filled)
        .map(Fifo::head)
        .toList();
  }

  private int upTo(Look look, List<LaneEntry> window) {
    if (look.max() == 0) {
      return look.after();
    }
    int last = window.isEmpty() ? look.after() : window.getLast().id;
    return filled.higherKey(last) == null ? LaneView.END : last;
  }

  /** The first ready job of every lane and priority. */
  List<JobEntry> firstReady() {
    return filled.values().stream().flatMap(LaneEntry::filled).map(Fifo::first).toList();
  }

  /** The lanes that have due work, the one that was served longest ago first. */
  Deque<LaneEntry> due(Instant now) {
    Deque<LaneEntry> due = new ArrayDeque<>();
    for (LaneEntry lane : waiting) {
      if (lane.later.isDue(now)) {
        due.add(lane);
      }
    }
    return due;
  }

  /** Puts a lane that was served behind the others that wait. */
  void served(LaneEntry lane) {
    if (waiting.remove(lane)) {
      waiting.add(lane);
    }
  }

  /** The first moment at which any lane has due work, or null when none waits. */
  @Nullable
  Instant nextDue() {
    Instant first = null;
    for (LaneEntry lane : waiting) {
      Instant next = lane.later.next();
      if (next != null && next.isBefore(NEVER) && (first == null || next.isBefore(first))) {
        first = next;
      }
    }
    return first;
  }

  Collection<LaneEntry> all() {
    return byLane.values();
  }
}
