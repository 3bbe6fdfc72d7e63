package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.LaneQuota;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** An open store on a clock that stands still, and the moves that its tests make. */
final class Scene implements InstantSource, AutoCloseable {
  static final Duration KEEP = Duration.ofHours(1);
  static final Lane LANE = Lane.of("default", "default", "mail");

  final MemoryStore store;
  private final Uuid7 ids = new Uuid7(this, new SplittableRandom(System.nanoTime()));
  private Instant now = Instant.parse("2030-01-15T12:00:00Z");

  Scene() {
    this(MemoryStore.builder());
  }

  Scene(MemoryStore.Builder builder) {
    store = builder.clock(this).build();
    store.open();
  }

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration step) {
    now = now.plus(step);
  }

  static JobSpec spec() {
    return new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE);
  }

  static JobSpec keyed(String key) {
    return new JobSpec("{}", Priority.NORMAL, null, null, key, null, Metadata.NONE);
  }

  static JobSpec expiring(Instant at) {
    return new JobSpec("{}", Priority.NORMAL, null, null, null, at, Metadata.NONE);
  }

  NewJob job(Lane lane, JobSpec spec, When when) {
    return new NewJob(ids.next(), lane, spec, when, false);
  }

  UUID add(NewJob job) {
    return store.insert(List.of(job)).getFirst().id();
  }

  UUID add() {
    return add(job(LANE, spec(), When.now()));
  }

  UUID addLater(Lane lane, Duration delay) {
    return add(job(lane, spec(), When.in(delay)));
  }

  long worker(Duration lease) {
    return store.workers().register(new WorkerSpec("w", 10, Set.of("mail"), Set.of("mail")), lease);
  }

  List<ClaimedJob> claim(int max) {
    return claim(worker(Duration.ofDays(1)), max);
  }

  List<ClaimedJob> claim(long worker, int max) {
    List<LaneQuota> lanes = store.heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return store.claim(new Claim(worker, lanes, max)).jobs();
  }

  ClaimRef running() {
    add();
    return claim(1).getFirst().ref();
  }

  void finish(ClaimRef ref, Verdict verdict) {
    assertThat(store.finish(List.of(new Finish(ref, verdict)))).containsExactly(ref);
  }

  UUID ended(JobState state) {
    ClaimRef ref = running();
    finish(ref, new Verdict.End(state, null, "because", null, KEEP));
    return ref.job();
  }

  UUID retrying(Duration delay) {
    ClaimRef ref = running();
    finish(ref, new Verdict.Again(JobState.RETRYING, When.in(delay), true, Strikes.NONE, null));
    return ref.job();
  }

  @Override
  public void close() {
    store.close();
  }
}
