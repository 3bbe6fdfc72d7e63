package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.RetryPolicy;
import io.sluice.When;
import io.sluice.memory.MemoryStore;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.LockTimeout;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that the engine never heard of, on a store in which things happen while it answers. */
class StraysTest {
  private static final Lane LANE = Pieces.lane("default", "x");
  private static final Duration LENGTH = Duration.ofMinutes(1);

  private final MemoryStore memory = MemoryStore.builder().build();
  private final List<Finish> finishes = new ArrayList<>();
  private final Set<UUID> held = new HashSet<>();
  private Runnable afterTheRead = () -> {};
  private final ForwardingStore store = new ForwardingStore(memory) {
    @Override
    public Set<ClaimRef> finish(List<Finish> some) {
      if (some.stream().anyMatch(finish -> held.contains(finish.ref().job()))) {
        throw new LockTimeout("somebody holds it", null);
      }
      finishes.addAll(some);
      return super.finish(some);
    }

    @Override
    public Workers workers() {
      return readingSlowly(super.workers());
    }
  };
  private final Lease lease = new Lease(LENGTH, System::nanoTime);
  private long jobs;
  private final Attempts attempts = new Attempts();
  private final Strays strays = new Strays(store, lease, attempts, LENGTH);

  @BeforeEach
  void signOn() {
    memory.open();
    WorkerSpec spec = new WorkerSpec("test", 1, Set.of("x"), Set.of());
    lease.granted(memory.workers().register(spec, LENGTH), System.nanoTime());
  }

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void claimThatNobodyHeardOf_goesBack() {
    ClaimedJob job = claim();
    strays.look();
    strays.giveBack();
    assertThat(memory.find(job.ref().job()).orElseThrow().state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void claimThatSomebodyHolds_goesBackLater_andTheOthersNow() {
    List<UUID> claimed =
        IntStream.range(0, 5).mapToObj(i -> claim().ref().job()).toList();
    held.add(claimed.get(3));
    strays.look();
    strays.giveBack();
    assertThat(claimed)
        .filteredOn(job -> memory.find(job).orElseThrow().state() == JobState.RUNNING)
        .containsExactly(claimed.get(3));
    held.clear();
    strays.look();
    strays.giveBack();
    assertThat(claimed).allMatch(job -> memory.find(job).orElseThrow().state() == JobState.PENDING);
  }

  @Test
  void claimThatTheEngineHearsOfAfterTheLook_stays() {
    ClaimedJob job = claim();
    strays.look();
    attempts.add(attempt(job));
    strays.giveBack();
    assertThat(finishes).isEmpty();
  }

  @Test
  void claimThatEndsDuringTheLook_isNoStray() {
    ClaimedJob job = claim();
    Attempt attempt = attempt(job);
    attempts.add(attempt);
    afterTheRead = () -> end(attempt);
    strays.look();
    strays.giveBack();
    assertThat(finishes).isEmpty();
  }

  @Test
  void claimThatComesAndEndsDuringTheLook_isNoStray() {
    ClaimedJob job = claim();
    Attempt attempt = attempt(job);
    afterTheRead = () -> {
      attempts.add(attempt);
      end(attempt);
    };
    strays.look();
    strays.giveBack();
    assertThat(finishes).isEmpty();
  }

  private ClaimedJob claim() {
    JobSpec spec = new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE);
    memory.insert(List.of(new NewJob(new UUID(0, ++jobs), LANE, spec, When.now(), false)));
    LaneHead head = memory.heads().getFirst();
    LaneQuota quota = new LaneQuota(head.laneId(), head.priority(), 1);
    return memory.claim(new Claim(lease.worker(), List.of(quota), 1)).jobs().getFirst();
  }

  private static Attempt attempt(ClaimedJob job) {
    return new Attempt(job, 0, Pieces.type("x"), RetryPolicy.none(), Duration.ofSeconds(30));
  }

  /** As the engine does when a job is done. */
  private void end(Attempt attempt) {
    Verdict completed = new Verdict.End(JobState.COMPLETED, null, null, null, LENGTH);
    memory.finish(List.of(new Finish(attempt.ref(), completed)));
    attempts.remove(attempt);
  }

  /** Workers whose answers are read in the store before something happens, and arrive after it. */
  private Workers readingSlowly(Workers workers) {
    return (Workers) Proxy.newProxyInstance(
        Workers.class.getClassLoader(), new Class<?>[] {Workers.class}, (self, method, args) -> {
          try {
            Object answer = method.invoke(workers, args);
            afterTheRead.run();
            afterTheRead = () -> {};
            return answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
