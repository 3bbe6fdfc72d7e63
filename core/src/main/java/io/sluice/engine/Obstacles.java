package io.sluice.engine;

import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.store.QueueRecord;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that is in the way of a job that waits. */
final class Obstacles {
  private static final String CHORES =
      "An engine that does the chores makes it ready; at least one must run.";

  private final Facts facts;
  private final JobRecord job;

  Obstacles(Facts facts) {
    this.facts = facts;
    this.job = facts.job();
  }

  /** Every reason that holds, in no certain order; at least one. */
  List<Reason> all() {
    List<Reason> found = new ArrayList<>(facts.holds().known());
    if (facts.holds().held() && found.isEmpty()) {
      found.add(held());
    }
    paused().ifPresent(found::add);
    later().ifPresent(found::add);
    if (Facts.isTied(job)) {
      found.add(new Bonds(facts).reason());
    }
    List<WorkerRecord> takers = facts.takers();
    if (takers.isEmpty()) {
      found.add(noWorker());
    }
    leftAlone().ifPresent(found::add);
    facts.holds().breakers().forEach(breaker -> found.addAll(new Breaks(facts, breaker).all()));
    if (job.state() == JobState.PENDING) {
      boolean moves = found.isEmpty();
      found.addAll(new Waits(facts).all(moves));
      if (found.isEmpty()) {
        found.add(ready(takers));
      }
    }
    return found;
  }

  private static Reason held() {
    return new Reason(
        ReasonCode.LANE_HELD,
        "The application holds its lane back.",
        null,
        "It goes on when the application lets go of its lane.",
        Map.of());
  }

  private Optional<Reason> leftAlone() {
    Instant until = facts.holds().leftAloneUntil();
    return until == null
        ? Optional.empty()
        : Optional.of(new Reason(
            ReasonCode.GROUP_HELD,
            "Its lane is held, for its receiver asked several times in a row to be left alone, until "
                + Words.time(until) + ".",
            until,
            "It goes on at that time.",
            Map.of("urlGroup", job.lane().groupName())));
  }

  private Optional<Reason> paused() {
    QueueRecord queue = facts.queue();
    return queue == null || !queue.settings().paused()
        ? Optional.empty()
        : Optional.of(new Reason(
            ReasonCode.QUEUE_PAUSED,
            "The queue " + Words.quoted(job.queue()) + " is paused, since "
                + Words.time(queue.updatedAt()) + " at the latest.",
            null,
            "Resume the queue.",
            Map.of("queue", job.queue())));
  }

  private Optional<Reason> later() {
    Instant at = job.status().runAt();
    if (at == null || job.state() == JobState.PENDING) {
      return Optional.empty();
    }
    boolean due = !at.isAfter(facts.now());
    String remedy = due ? CHORES : "It becomes ready at that time";
    return Optional.of(
        job.state() == JobState.RETRYING
            ? retry(at, due, due ? remedy : remedy + ", or at once when it is retried by hand.")
            : scheduled(at, due, due ? remedy : remedy + "."));
  }

  private static Reason scheduled(Instant at, boolean due, String remedy) {
    return new Reason(
        ReasonCode.SCHEDULED,
        due
            ? "It was due at " + Words.time(at) + " and is about to be made ready."
            : "It is scheduled for " + Words.time(at) + ".",
        at,
        remedy,
        Map.of("runAt", at));
  }

  private Reason retry(Instant at, boolean due, String remedy) {
    int retries = Story.attempts(facts) - 1;
    String error =
        Story.lastError(job.status()).map(e -> " with " + Words.error(e)).orElse("");
    return new Reason(
        ReasonCode.RETRYING,
        "Retry " + job.attempt() + " of " + Math.max(retries, job.attempt())
            + (due ? " was due at " : " is due at ") + Words.time(at) + ", after attempt "
            + job.attempt() + " failed" + error + ".",
        at,
        remedy,
        Map.of("runAt", at, "attempt", job.attempt(), "maxAttempts", Story.attempts(facts)));
  }

  private Reason noWorker() {
    List<String> types = handled();
    return new Reason(
        ReasonCode.NO_WORKER,
        "No live worker handles type " + Words.quoted(job.type()) + " in queue "
            + Words.quoted(job.queue()) + "; "
            + (types.isEmpty() ? "no worker lives" : "those that live handle " + Words.list(types))
            + ".",
        null,
        "Start a worker that handles type " + Words.quoted(job.type()) + ".",
        Map.of("type", job.type(), "queue", job.queue()));
  }

  /** What the live workers handle that the tenant may know of, and who they are. */
  private List<String> handled() {
    SortedMap<String, SortedSet<String>> handled = new TreeMap<>();
    for (WorkerRecord worker : facts.visible()) {
      types(worker.spec())
          .forEach(type -> handled
              .computeIfAbsent(type, t -> new TreeSet<>())
              .add(Words.quoted(worker.spec().name())));
    }
    return handled.entrySet().stream()
        .map(type -> type.getKey() + " (" + Words.list(List.copyOf(type.getValue())) + ")")
        .toList();
  }

  private static List<String> types(WorkerSpec spec) {
    String where = spec.queue() == null ? "" : " in queue " + Words.quoted(spec.queue());
    return spec.types().isEmpty()
        ? List.of("every type but " + Words.quoted(WorkerSpec.HTTP) + where)
        : spec.types().stream().map(type -> Words.quoted(type) + where).toList();
  }

  private static Reason ready(List<WorkerRecord> takers) {
    int slots = takers.stream().mapToInt(w -> w.spec().slots()).sum();
    int free = takers.stream()
        .mapToInt(w -> Math.max(0, w.spec().slots() - w.running()))
        .sum();
    return new Reason(
        ReasonCode.READY,
        "Nothing is in its way: it is the first of its lane, and " + free + " of "
            + Words.count(slots, "slot") + " for it " + (free == 1 ? "is" : "are") + " free.",
        null,
        "It starts within a moment.",
        Map.of("slots", slots, "free", free));
  }
}
