package io.sluice.memory;

import io.sluice.BreakerSettings;
import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.LogLine;
import io.sluice.Marks;
import io.sluice.Progress;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.Ties;
import io.sluice.store.Documents;
import io.sluice.store.QueueRecord;
import io.sluice.store.TenantCap;
import io.sluice.store.TokenBucket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes a whole shelf: queues, limits, lanes, the jobs, which name their lane by its place, breakers and batches. */
final class ShelfWriter {
  private final SnapshotOutput out;
  private final Map<LaneEntry, Integer> places = new HashMap<>();

  ShelfWriter(SnapshotOutput out) {
    this.out = out;
  }

  void write(Shelf shelf) throws IOException {
    // Once the last id of a worker, which are drawn now.
    out.number(0L);
    List<QueueRecord> queues = new ArrayList<>();
    for (QueueEntry queue : shelf.queues.all()) {
      if (queue.made != null) {
        queues.add(queue.made);
      }
    }
    out.list(queues, this::queue);
    out.list(shelf.flow.limits.values(), this::limit);
    out.list(shelf.flow.buckets.entrySet(), this::bucket);
    out.list(shelf.queues.capped(), this::cap);
    for (LaneEntry lane : shelf.lanes.all()) {
      places.put(lane, places.size());
    }
    out.list(shelf.lanes.all(), entry -> lane(entry.lane));
    out.list(shelf.all(), this::job);
    out.list(shelf.breakers.values(), this::breaker);
    out.list(shelf.links.all(), this::batch);
  }

  /** What was counted is not kept: it is of calls that nobody makes while the store is closed. */
  private void breaker(BreakerEntry breaker) throws IOException {
    out.text(breaker.scope.kind().name());
    out.text(breaker.scope.tenant());
    out.text(breaker.scope.name());
    out.moment(breaker.changedAt);
    out.optional(breaker.settings, this::settings);
    out.text(breaker.state.name());
    out.number(breaker.version);
    out.optional(breaker.openUntil, out::moment);
    out.optional(breaker.heldUntil, out::moment);
    out.number(breaker.granted);
    out.number(breaker.passed);
  }

  private void settings(BreakerSettings breaker) throws IOException {
    out.number(Double.doubleToLongBits(breaker.errorThreshold()));
    out.span(breaker.window());
    out.number(breaker.minimumCalls());
    out.optional(breaker.slowCallThreshold(), out::span);
    out.span(breaker.tripDuration());
    out.number(breaker.halfOpenMaxRequests());
  }

  private void batch(BatchEntry batch) throws IOException {
    out.id(batch.facts.id());
    out.text(batch.facts.tenant());
    out.text(batch.facts.name());
    out.optional(batch.facts.parent(), out::id);
    out.optional(batch.facts.callback(), out::id);
    out.optional(batch.facts.key(), out::text);
    out.span(batch.facts.keepFor());
    out.moment(batch.facts.createdAt());
    out.flag(batch.open);
    out.number(batch.completed);
    out.number(batch.failed);
    out.number(batch.cancelled);
    out.optional(batch.ending, this::ending);
  }

  private void queue(QueueRecord record) throws IOException {
    out.id(record.id());
    out.moment(record.createdAt());
    out.moment(record.updatedAt());
    settings(record.settings());
  }

  private void cap(TenantEntry tenant) throws IOException {
    TenantCap cap = Objects.requireNonNull(tenant.cap);
    out.text(tenant.name);
    out.number(cap.maxSize());
    out.optional(cap.levels(), this::marks);
  }

  private void marks(Marks marks) throws IOException {
    out.number(Double.doubleToLongBits(marks.warning()));
    out.number(Double.doubleToLongBits(marks.high()));
  }

  private void settings(QueueSettings queue) throws IOException {
    out.text(queue.tenant());
    out.text(queue.name());
    out.flag(queue.paused());
    out.number(queue.priority().value());
    out.optional(queue.maxConcurrent(), max -> out.number((int) max));
    out.optional(queue.maxSize(), max -> out.number((long) max));
    out.optional(queue.rateLimit(), this::rate);
    out.text(queue.ordered().name());
    out.optional(queue.timeout(), out::span);
    out.optional(queue.retry(), retry -> out.text(Documents.of(retry)));
    out.flag(queue.deadLetter());
    out.span(queue.retention().completed());
    out.span(queue.retention().dead());
    out.optional(queue.urlGroup(), out::text);
    out.optional(queue.levels(), this::marks);
  }

  private void rate(RateLimit rate) throws IOException {
    out.number(Double.doubleToLongBits(rate.amount()));
    out.text(rate.per().name());
    out.number(rate.burst());
  }

  private void limit(Limit limit) throws IOException {
    scope(limit.scope());
    out.optional(limit.rate(), this::rate);
    out.optional(limit.concurrency(), most -> out.number((int) most));
  }

  private void bucket(Map.Entry<Scope, TokenBucket> entry) throws IOException {
    scope(entry.getKey());
    out.moment(entry.getValue().goodAt());
    out.span(entry.getValue().interval());
    out.moment(entry.getValue().asOf());
  }

  private void scope(Scope scope) throws IOException {
    out.text(scope.kind().name());
    out.text(scope.tenant());
    out.text(scope.name());
  }

  private void lane(Lane lane) throws IOException {
    out.text(lane.tenant());
    out.text(lane.queue());
    out.text(lane.type());
    out.text(lane.urlGroup());
    out.text(lane.limitKey());
  }

  private void job(JobEntry job) throws IOException {
    out.id(job.id);
    out.number(places.getOrDefault(job.lane, -1));
    spec(job.spec);
    out.moment(job.createdAt);
    out.moment(job.updatedAt);
    out.text(job.state.name());
    out.number(job.turn);
    out.number(job.attempt);
    out.number(job.replays);
    out.number(job.strikes.alone());
    out.number(job.strikes.inCompany());
    out.optional(job.expiresAt, out::moment);
    out.optional(job.runAt, out::moment);
    out.optional(job.startedAt, out::moment);
    out.optional(job.ending, this::ending);
    out.optional(job.progress, this::progress);
    out.list(job.errors(), error -> out.text(Documents.of(error)));
    out.list(job.lines(), this::line);
    out.optional(job.wait, this::waiting);
    out.list(job.ties, this::tie);
    out.optional(job.plannedFor, out::moment);
    out.number(job.sequence);
  }

  private void spec(JobSpec spec) throws IOException {
    out.text(spec.payload());
    out.number(spec.priority().value());
    out.optional(spec.retry(), retry -> out.text(Documents.of(retry)));
    out.optional(spec.timeout(), out::span);
    out.optional(spec.idempotencyKey(), out::text);
    out.optional(spec.expiresAt(), out::moment);
    out.text(Documents.of(spec.metadata()));
    out.number(spec.cost());
    Ties ties = spec.ties();
    boolean plain = !ties.waits() && ties.policy() == Ties.NONE.policy();
    out.optional(plain ? null : ties, some -> out.text(Documents.of(some)));
    out.optional(ties.batch(), out::id);
  }

  private void waiting(Wait wait) throws IOException {
    out.number(wait.missing);
    out.number(wait.failed);
    out.optional(wait.dueAt, out::moment);
  }

  /** Whom it is for, and under which name, is said by the job. */
  private void tie(Tie tie) throws IOException {
    out.flag(tie.open);
    out.flag(tie.broke);
  }

  private void ending(Ending ending) throws IOException {
    out.moment(ending.at());
    out.moment(ending.keepUntil());
    out.optional(ending.result(), out::text);
    out.optional(ending.reason(), out::text);
  }

  private void progress(Progress progress) throws IOException {
    out.number(progress.percent());
    out.text(progress.message());
    out.moment(progress.at());
  }

  private void line(LogLine line) throws IOException {
    out.moment(line.at());
    out.number(line.attempt());
    out.text(line.text());
  }
}
