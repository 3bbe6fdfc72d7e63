package io.sluice.postgres;

import io.sluice.AfterPolicy;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Predecessor;
import io.sluice.Ties;
import io.sluice.WaitingJobs;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A few jobs, batches, keys and capped queues, and every write that callers may do to them at once. */
final class SharedRows {
  static final String TENANT = "acme";

  private static final Duration KEEP = Duration.ofHours(1);
  private static final Verdict DEAD = new Verdict.End(JobState.DEAD, null, "failed", null, KEEP);
  private static final Verdict AGAIN =
      new Verdict.Again(JobState.RETRYING, When.in(Duration.ofMillis(1)), true, Strikes.NONE, null);

  /** One write of one caller. */
  interface Write {
    void run() throws Exception;
  }

  private final PostgresStore store;
  private final DataSource callers;
  private final String schema;
  private final RandomGenerator random = new SplittableRandom(5);
  private final long worker;
  /** Jobs that everybody writes to, in all states. */
  private final List<UUID> jobs = new CopyOnWriteArrayList<>();

  /** An open batch, and one that is a member of it. */
  private UUID outer = Sample.id();

  private UUID inner = Sample.id();

  SharedRows(PostgresStore store, String schema, DataSource callers) {
    this.store = store;
    this.schema = schema;
    this.callers = callers;
    this.worker = Sample.worker(store);
  }

  /** Ends what there is, and makes a few of each kind anew. */
  void renew() {
    store.cancelWaiting(WaitingJobs.ofTenant(TENANT), "renewed", KEEP, 10_000);
    store.finish(Sample.completed(Sample.claim(store, worker, 100)));
    jobs.clear();
    outer = Sample.id();
    inner = Sample.id();
    store.links().start(batch(outer, null, true), List.of());
    store.links().start(batch(inner, outer, true), List.of());
    List<NewJob> fresh =
        new ArrayList<>(IntStream.range(0, 6).mapToObj(i -> job()).toList());
    fresh.add(tied(List.of(fresh.get(0).id(), fresh.get(1).id()), AfterPolicy.HOLD, null));
    fresh.add(tied(List.of(fresh.get(1).id()), AfterPolicy.RUN, null));
    store.insert(fresh);
    store.links().add(inner, null, List.of(tied(List.of(), AfterPolicy.CANCEL, inner)));
    fresh.forEach(job -> jobs.add(job.id()));
    List<ClaimedJob> claimed = Sample.claim(store, worker, 4);
    claimed.stream().map(one -> one.ref().job()).forEach(jobs::add);
    store.finish(List.of(new Finish(claimed.getFirst().ref(), DEAD)));
  }

  Map<String, Write> writes() {
    Map<String, Write> writes = new LinkedHashMap<>();
    writes.put("insert", () -> store.insert(List.of(job())));
    writes.put("insert with a key", () -> store.insert(List.of(keyed())));
    writes.put("insert many", () -> store.insert(List.of(job(), keyed(), job(), keyed())));
    writes.put("insert after jobs", () -> store.insert(List.of(afterSome())));
    writes.put("insert after a batch", () -> store.insert(List.of(afterBatch())));
    writes.put("insert in a transaction", () -> inTransaction(c -> store.insert(c, some())));
    writes.put("insert by SQL", () -> inTransaction(this::insertBySql));
    writes.put("start a batch", this::startBatch);
    writes.put("add to a batch", this::addToBatch);
    writes.put("close batches", () -> store.links().closeAll(outer));
    writes.put("complete", () -> finish(Sample.COMPLETED));
    writes.put("fail", () -> finish(DEAD));
    writes.put("retry", () -> finish(AGAIN));
    writes.put("end with a callback", this::endWithCallback);
    writes.put("cancel", () -> store.cancelAll(someJobs(3), "no more"));
    writes.put(
        "cancel waiting",
        () -> store.cancelWaiting(WaitingJobs.ofQueue(TENANT, queue()), "no more", KEEP, 2));
    writes.put("replay", () -> store.replay(anyJob()));
    writes.put("replay many", () -> store.replayAll(someJobs(3)));
    writes.put("revive", () -> store.links().revive(anyJob()));
    writes.put("retry now", () -> store.hurry(anyJob()));
    writes.put("release", () -> store.links().release(anyJob()));
    writes.put("delete", () -> store.delete(anyJob()));
    writes.put("delete many", () -> store.deleteAll(someJobs(3)));
    writes.put("promote", () -> store.promote(10));
    writes.put("expire", () -> store.expire(10));
    writes.put("settle", () -> store.links().settle(10));
    return writes;
  }

  private void startBatch() {
    UUID batch = Sample.id();
    store
        .links()
        .start(
            batch(batch, outer, false),
            List.of(
                tied(someJobs(2), AfterPolicy.RUN, batch),
                tied(List.of(), AfterPolicy.RUN, batch)));
  }

  private void addToBatch() {
    store
        .links()
        .add(
            inner,
            null,
            List.of(
                tied(someJobs(1), AfterPolicy.CANCEL, inner),
                tied(List.of(), AfterPolicy.RUN, inner)));
  }

  private void finish(Verdict verdict) {
    List<ClaimedJob> claimed = Sample.claim(store, worker, 3);
    claimed.forEach(one -> jobs.add(one.ref().job()));
    store.finish(claimed.stream().map(one -> new Finish(one.ref(), verdict)).toList());
  }

  /** A callback goes into the queue of its job. */
  private void endWithCallback() throws SQLException {
    List<ClaimedJob> claimed = Sample.claim(store, worker, 1);
    if (!claimed.isEmpty()) {
      Finish end = new Finish(claimed.getFirst().ref(), DEAD);
      NewJob callback =
          Sample.job(claimed.getFirst().lane(), "{}", null, When.now()).uncapped();
      inTransaction(connection ->
          store.finish(connection, end) ? store.insert(connection, List.of(callback)) : List.of());
    }
  }

  private interface Work {
    Object on(Connection connection) throws SQLException;
  }

  private void inTransaction(Work work) throws SQLException {
    try (Connection connection = callers.getConnection()) {
      connection.setAutoCommit(false);
      try {
        work.on(connection);
        connection.commit();
      } finally {
        connection.rollback();
      }
    }
  }

  private Object insertBySql(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(
          "select %s.enqueue('sample', '{}', '%s', '%s', idempotency_key => '%s')"
              .formatted(schema, queue(), TENANT, key()));
    }
  }

  private List<NewJob> some() {
    return List.of(keyed(), tied(someJobs(2), AfterPolicy.RUN, null));
  }

  private NewJob afterSome() {
    AfterPolicy[] policies = AfterPolicy.values();
    return tied(someJobs(2), policies[below(policies.length)], null);
  }

  private NewJob afterBatch() {
    return tied(List.of(below(2) == 0 ? outer : inner), AfterPolicy.RUN, null);
  }

  private NewJob job() {
    return Sample.job(lane(), "{}", null, When.now());
  }

  private NewJob keyed() {
    return Sample.job(lane(), "{}", key(), When.now());
  }

  private NewJob tied(List<UUID> after, AfterPolicy policy, @Nullable UUID batch) {
    List<Predecessor> predecessors = after.stream().map(Predecessor::of).toList();
    return Sample.tied(job(), new Ties(predecessors, policy, batch));
  }

  private static NewBatch batch(UUID id, @Nullable UUID parent, boolean open) {
    return new NewBatch(id, TENANT, "some", open, parent, null, null, null, Links.KEEP_BATCH);
  }

  private Lane lane() {
    return Lane.of(TENANT, queue(), "sample");
  }

  private String queue() {
    return below(2) == 0 ? "one" : "two";
  }

  private String key() {
    return "key" + below(3);
  }

  private synchronized int below(int bound) {
    return random.nextInt(bound);
  }

  private UUID anyJob() {
    return jobs.get(below(jobs.size()));
  }

  private List<UUID> someJobs(int most) {
    return Stream.generate(this::anyJob).limit(most).distinct().toList();
  }
}
