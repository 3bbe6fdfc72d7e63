package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.Page;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.SluiceException;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneQuota;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Where the engine contract starts engines, on one lab, and stops them all in the end. */
public final class Rig implements AutoCloseable {
  /** The type of jobs where a test does not care. */
  public static final String TYPE = "work";

  public static final Duration LEASE = Duration.ofSeconds(2);
  public static final Duration SHORT_LEASE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);

  /** A payload. */
  public record Note(String text, int number) {}

  private final EngineLab lab;
  private final List<Sluice> engines = new ArrayList<>();
  private final List<FlakyStore> flaky = new ArrayList<>();
  private final List<CountDownLatch> gates = new ArrayList<>();
  private final Heard heard = new Heard();

  Rig(EngineLab lab) {
    this.lab = lab;
    lab.store().open();
  }

  public JobStore store() {
    return lab.store();
  }

  /** Another instance on the same data; a test that needs one is skipped where there is none. */
  public JobStore another() {
    Assumptions.assumeTrue(lab.another().isPresent(), "the store serves one engine only");
    JobStore store = lab.another().orElseThrow();
    store.open();
    return store;
  }

  /** The store, for one engine to whom it fails on demand; it is mended when the test ends. */
  public FlakyStore flaky() {
    FlakyStore store = new FlakyStore(another());
    flaky.add(store);
    return store;
  }

  /** What engines on this rig told. */
  public Heard heard() {
    return heard;
  }

  // ---- engines

  public SluiceBuilder engine() {
    return engine(store());
  }

  public SluiceBuilder engine(JobStore store) {
    return Sluice.builder(store).lease(LEASE).poll(POLL).keepStoreOpen().listener(heard);
  }

  public Sluice start(SluiceBuilder builder) {
    Sluice engine = builder.build();
    engines.add(engine);
    return engine.start();
  }

  public Sluice start(JobType<?>... types) {
    SluiceBuilder builder = engine();
    Arrays.stream(types).forEach(builder::handler);
    return start(builder);
  }

  public static JobType<Note> type() {
    return JobType.of(TYPE, Note.class);
  }

  public static JobRequest job() {
    return job("hello");
  }

  public static JobRequest job(String text) {
    return Jobs.of(TYPE, new Note(text, 1));
  }

  /** Jobs with texts "0", "1", … */
  public static List<JobRequest> jobs(int n) {
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      jobs.add(job(String.valueOf(i)));
    }
    return jobs;
  }

  /** A latch that is opened at the end of the test at the latest. */
  public CountDownLatch gate() {
    CountDownLatch gate = new CountDownLatch(1);
    gates.add(gate);
    return gate;
  }

  // ---- workers that are not engines

  /** Claims these ready jobs, which must be first, for one worker that is not heard of again. */
  public void loseAll(List<UUID> jobs) {
    loseAll(jobs, Set.of(), claimed -> {});
  }

  /** As before, with something done before the worker is lost: it lives as long as that takes. */
  public void loseAll(List<UUID> jobs, Set<String> fragileTypes, Consumer<List<ClaimedJob>> last) {
    WorkerSpec spec = new WorkerSpec("ghost", 10, Set.of(TYPE), fragileTypes);
    long worker = store().workers().register(spec, Duration.ofHours(1));
    List<LaneQuota> lanes = store().heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), jobs.size()))
        .toList();
    List<ClaimedJob> claimed =
        store().claim(new Claim(worker, lanes, jobs.size())).jobs();
    assertThat(Bench.idsOf(claimed)).containsExactlyInAnyOrderElementsOf(jobs);
    last.accept(claimed);
    store().workers().leave(worker);
  }

  // ---- looking

  public JobRecord find(UUID job) {
    return store().find(job).orElseThrow(() -> new AssertionError("no job " + job));
  }

  public JobRecord await(UUID job, JobState state) {
    Eventually.await(job + " is " + state, () -> find(job).state() == state);
    return find(job);
  }

  /** Waits until all of these are in a state. Pages, because to find each one costs more than its run. */
  public void await(List<UUID> jobs, JobState state) {
    await(jobs.getLast(), state);
    Eventually.await(jobs.size() + " jobs are " + state, () -> in(state).containsAll(jobs));
  }

  private Set<UUID> in(JobState state) {
    JobFilter filter = JobFilter.all().in(state);
    Set<UUID> found = new HashSet<>();
    @Nullable String cursor = null;
    do {
      Page<JobRecord> page = store().page(filter, cursor, 1_000);
      page.items().forEach(job -> found.add(job.id()));
      cursor = page.nextCursor();
    } while (cursor != null);
    return found;
  }

  public static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).as("the latch opens").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** Checks that a call fails with this code, and returns what it threw. */
  public static SluiceException refused(ErrorCode code, ThrowingCallable call) {
    SluiceException thrown = catchThrowableOfType(SluiceException.class, call);
    assertThat(thrown).as("a refusal").isNotNull();
    assertThat(thrown.code()).isEqualTo(code);
    return thrown;
  }

  @Override
  public void close() {
    flaky.forEach(FlakyStore::mend);
    gates.forEach(CountDownLatch::countDown);
    engines.forEach(engine -> engine.stop(Duration.ZERO));
    lab.close();
  }
}
