package io.sluice.postgres;

import io.sluice.AfterPolicy;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.Priority;
import io.sluice.Ties;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.LaneQuota;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs and moves that the tests of this store share. */
final class Sample {
  private static final Uuid7 IDS = new Uuid7(InstantSource.system(), new SplittableRandom(11));
  static final Verdict COMPLETED =
      new Verdict.End(JobState.COMPLETED, null, null, null, Duration.ofHours(24));

  private Sample() {}

  static NewJob job() {
    return job("default", "{\"n\":1}", null);
  }

  static NewJob job(String queue, String payload, @Nullable String key) {
    return job(Lane.of("default", queue, "sample"), payload, key, When.now());
  }

  static NewJob job(Lane lane, String payload, @Nullable String key, When when) {
    JobSpec spec = new JobSpec(payload, Priority.NORMAL, null, null, key, null, Metadata.NONE);
    return new NewJob(IDS.next(), lane, spec, when, false);
  }

  /** A job that waits for others, of a type of its own. */
  static NewJob after(String type, UUID... predecessors) {
    NewJob job = job(Lane.of("default", "default", type), "{}", null, When.now());
    List<Predecessor> after = Stream.of(predecessors).map(Predecessor::of).toList();
    return tied(job, new Ties(after, AfterPolicy.CANCEL, null));
  }

  static NewJob tied(NewJob job, Ties ties) {
    return new NewJob(job.id(), job.lane(), job.spec().withTies(ties), job.when(), job.strict());
  }

  static UUID id() {
    return IDS.next();
  }

  /** A closed batch, with a callback that runs whatever becomes of it. */
  static NewBatch batch(UUID id, @Nullable NewJob callback) {
    return new NewBatch(id, "default", "some", false, null, null, null, callback, Links.KEEP_BATCH);
  }

  static NewBatch open(UUID id, @Nullable NewJob callback) {
    return new NewBatch(id, "default", "some", true, null, null, null, callback, Links.KEEP_BATCH);
  }

  static NewBatch in(UUID id, UUID parent) {
    return new NewBatch(id, "default", "some", false, parent, null, null, null, Links.KEEP_BATCH);
  }

  /** The callback of a batch. */
  static NewJob callback(UUID batch) {
    NewJob job = job(Lane.of("default", "default", "callback"), "{}", null, When.now());
    return tied(job, new Ties(List.of(Predecessor.of(batch)), AfterPolicy.RUN, null));
  }

  static List<NewJob> members(UUID batch, int n) {
    return jobs(n).stream().map(job -> tied(job, Ties.NONE.in(batch))).toList();
  }

  /** A job in the default queue of a tenant. */
  static NewJob jobOf(String tenant) {
    return job(Lane.of(tenant, "default", "sample"), "{\"n\":1}", null, When.now());
  }

  static List<NewJob> jobs(int n) {
    return IntStream.range(0, n).mapToObj(i -> job()).toList();
  }

  static long worker(PostgresStore store) {
    return store
        .workers()
        .register(new WorkerSpec("w", 10, Set.of("sample"), Set.of()), Duration.ofHours(1));
  }

  /** Claims from every lane there is. */
  static List<ClaimedJob> claim(PostgresStore store, long worker, int max) {
    List<LaneQuota> lanes = store.heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return store.claim(new Claim(worker, lanes, max)).jobs();
  }

  static List<Finish> completed(List<ClaimedJob> claimed) {
    return claimed.stream().map(job -> new Finish(job.ref(), COMPLETED)).toList();
  }
}
