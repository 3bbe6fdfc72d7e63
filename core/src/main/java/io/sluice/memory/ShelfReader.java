package io.sluice.memory;

import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.LogLine;
import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.Progress;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Retention;
import io.sluice.Scope;
import io.sluice.Ties;
import io.sluice.store.Documents;
import io.sluice.store.QueueRecord;
import io.sluice.store.Strikes;
import io.sluice.store.TenantCap;
import io.sluice.store.TokenBucket;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads a whole shelf as {@link ShelfWriter} wrote it. A job that ran is ready again, unspent. */
final class ShelfReader {
  /** The first version that has limits, caps, breakers, and rates by the minute and the hour. */
  private static final int WITH_LIMITS = 2;

  /** The first version that has batches, and jobs that wait for others. */
  private static final int WITH_LINKS = 3;

  /** The first version that says as of when rates are used, what jobs were planned for, and their sequence. */
  private static final int WITH_MOMENTS = 4;

  /** What is kept of a tie beside whom it is for. */
  private record Knot(boolean open, boolean broke) {}

  private final Map<JobEntry, List<Knot>> knots = new LinkedHashMap<>();
  private final SnapshotInput in;
  private final int version;
  private final Shelf shelf = new Shelf();

  ShelfReader(SnapshotInput in, int version) {
    this.in = in;
    this.version = version;
  }

  Shelf read() throws IOException {
    in.longNumber();
    in.list(this::queue).forEach(shelf.queues::restore);
    if (version >= WITH_LIMITS) {
      in.list(this::limit).forEach(limit -> shelf.flow.limits.put(limit.scope(), limit));
      in.list(this::scopeAndBucket);
      in.list(this::cap);
    }
    shelf.renewRules();
    List<LaneEntry> lanes = in.list(() -> shelf.lane(lane()));
    int jobs = in.number();
    for (int i = 0; i < jobs; i++) {
      shelf.add(job(lanes));
    }
    if (version >= WITH_LIMITS) {
      in.list(this::breaker).forEach(entry -> shelf.breakers.put(entry.scope, entry));
    }
    if (version >= WITH_LINKS) {
      in.list(this::batch).forEach(shelf.links::add);
      link();
    }
    in.end();
    shelf.takeHints();
    return shelf;
  }

  private BatchEntry batch() throws IOException {
    BatchFacts facts = new BatchFacts(
        in.id(),
        in.text(),
        in.text(),
        in.optional(in::id),
        in.optional(in::id),
        in.optional(in::text),
        in.span(),
        in.moment());
    BatchEntry batch = new BatchEntry(facts, in.flag());
    batch.completed = in.longNumber();
    batch.failed = in.longNumber();
    batch.cancelled = in.longNumber();
    batch.ending = in.optional(this::ending);
    return batch;
  }

  /** Ties jobs to one another and puts them into their batches, once all are there. */
  private void link() {
    for (JobEntry job : shelf.all()) {
      BatchEntry batch = shelf.links.batch(job.spec.ties().batch());
      if (batch != null && !job.state.isFinal()) {
        batch.unfinished.add(job.id);
      }
    }
    for (BatchEntry batch : shelf.links.all()) {
      BatchEntry parent = shelf.links.batch(batch.facts.parent());
      if (parent != null && !batch.isOver()) {
        parent.unfinished.add(batch.facts.id());
      }
    }
    knots.forEach(this::tie);
  }

  private void tie(JobEntry job, List<Knot> kept) {
    shelf.links.bind(job);
    for (int i = 0; i < kept.size(); i++) {
      job.ties.get(i).open = kept.get(i).open();
      job.ties.get(i).broke = kept.get(i).broke();
    }
    if (!job.state.isFinal()) {
      shelf.need(job, 1);
    }
  }

  private BreakerEntry breaker() throws IOException {
    Scope scope = new Scope(Scope.Kind.valueOf(in.text()), in.text(), in.text());
    BreakerEntry breaker = new BreakerEntry(scope, in.moment());
    breaker.settings = in.optional(this::breakerSettings);
    breaker.state = BreakerState.valueOf(in.text());
    breaker.version = in.longNumber();
    breaker.openUntil = in.optional(in::moment);
    breaker.heldUntil = in.optional(in::moment);
    breaker.granted = in.number();
    breaker.passed = in.number();
    return breaker;
  }

  private BreakerSettings breakerSettings() throws IOException {
    return new BreakerSettings(
        Double.longBitsToDouble(in.longNumber()),
        in.span(),
        in.number(),
        in.optional(in::span),
        in.span(),
        in.number());
  }

  private QueueRecord queue() throws IOException {
    UUID id = in.id();
    Instant createdAt = in.moment();
    Instant updatedAt = in.moment();
    return new QueueRecord(id, settings(), createdAt, updatedAt);
  }

  private TenantEntry cap() throws IOException {
    TenantEntry tenant = shelf.queues.tenant(in.text());
    tenant.cap = new TenantCap(in.longNumber(), in.optional(this::marks));
    return tenant;
  }

  private Marks marks() throws IOException {
    return new Marks(
        Double.longBitsToDouble(in.longNumber()), Double.longBitsToDouble(in.longNumber()));
  }

  private QueueSettings settings() throws IOException {
    return new QueueSettings(
        in.text(),
        in.text(),
        in.flag(),
        new Priority(in.number()),
        in.optional(in::number),
        in.optional(in::longNumber),
        in.optional(this::rate),
        Ordering.valueOf(in.text()),
        in.optional(in::span),
        in.optional(() -> Documents.retryPolicy(in.text())),
        in.flag(),
        new Retention(in.span(), in.span()),
        in.optional(in::text),
        version >= WITH_LIMITS ? in.optional(this::marks) : null);
  }

  private RateLimit rate() throws IOException {
    double amount = Double.longBitsToDouble(in.longNumber());
    Per per = version >= WITH_LIMITS ? Per.valueOf(in.text()) : Per.SECOND;
    return new RateLimit(amount, per, in.number());
  }

  private Limit limit() throws IOException {
    return new Limit(scope(), in.optional(this::rate), in.optional(in::number));
  }

  private Scope scopeAndBucket() throws IOException {
    Scope scope = scope();
    Instant goodAt = in.moment();
    Duration interval = in.span();
    Instant asOf = version >= WITH_MOMENTS ? in.moment() : Instant.EPOCH;
    shelf.flow.buckets.put(scope, new TokenBucket(goodAt, interval, asOf));
    return scope;
  }

  private Scope scope() throws IOException {
    return new Scope(Scope.Kind.valueOf(in.text()), in.text(), in.text());
  }

  private Lane lane() throws IOException {
    return new Lane(in.text(), in.text(), in.text(), in.text(), in.text());
  }

  private JobEntry job(List<LaneEntry> lanes) throws IOException {
    JobEntry job = new JobEntry(in.id(), lanes.get(in.number()), spec(), in.moment());
    job.updatedAt = in.moment();
    job.state = JobState.valueOf(in.text());
    job.turn = in.number();
    job.attempt = in.number();
    job.replays = in.number();
    job.strikes = new Strikes(in.number(), in.number());
    job.expiresAt = in.optional(in::moment);
    job.runAt = in.optional(in::moment);
    job.startedAt = in.optional(in::moment);
    job.ending = in.optional(this::ending);
    job.progress = in.optional(this::progress);
    in.list(() -> Documents.error(in.text())).forEach(job::keep);
    job.keep(in.list(this::line));
    if (version >= WITH_LINKS) {
      job.wait = in.optional(() -> new Wait(in.number(), in.number(), in.optional(in::moment)));
      List<Knot> kept = in.list(() -> new Knot(in.flag(), in.flag()));
      if (!kept.isEmpty()) {
        knots.put(job, kept);
      }
    }
    if (version >= WITH_MOMENTS) {
      job.plannedFor = in.optional(in::moment);
      job.sequence = in.longNumber();
    }
    if (job.state == JobState.RUNNING) {
      job.state = JobState.PENDING;
      job.attempt--;
      job.startedAt = null;
    }
    return job;
  }

  private JobSpec spec() throws IOException {
    return new JobSpec(
        in.text(),
        new Priority(in.number()),
        in.optional(() -> Documents.retryPolicy(in.text())),
        in.optional(in::span),
        in.optional(in::text),
        in.optional(in::moment),
        Documents.metadata(in.text()),
        in.number(),
        version >= WITH_LINKS ? ties() : Ties.NONE);
  }

  private Ties ties() throws IOException {
    Ties ties = in.optional(() -> Documents.ties(in.text(), null));
    UUID batch = in.optional(in::id);
    return ties == null && batch == null ? Ties.NONE : (ties == null ? Ties.NONE : ties).in(batch);
  }

  private Ending ending() throws IOException {
    return new Ending(in.moment(), in.moment(), in.optional(in::text), in.optional(in::text));
  }

  private Progress progress() throws IOException {
    return new Progress(in.number(), in.text(), in.moment());
  }

  private LogLine line() throws IOException {
    return new LogLine(in.moment(), in.number(), in.text());
  }
}
