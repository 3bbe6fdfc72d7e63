package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.store.LostClaim;
import io.sluice.store.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What becomes of the jobs of a worker that died. */
public interface LostWorkerContract extends EngineTopic {
  QueueSettings HELD = QueueSettings.of("held");

  private static Sluice bystander(Rig rig) {
    return rig.start(rig.engine().lease(Rig.SHORT_LEASE));
  }

  /** An engine that waits longer for a suspect's solitude than any test lasts. */
  private static SluiceBuilder patient(Rig rig) {
    return rig.engine(rig.another()).lease(Duration.ofMinutes(10));
  }

  /** Jobs of a queue of their own whose worker died in company; they wait until it is resumed. */
  private static List<UUID> suspects(Rig rig, int n) {
    Sluice engine = bystander(rig);
    rig.store().queues().save(HELD);
    List<UUID> ids =
        engine.enqueueAll(Rig.jobs(n).stream().map(j -> j.queue(HELD.name())).toList()).stream()
            .map(Enqueued::id)
            .toList();
    rig.loseAll(ids);
    rig.store().queues().save(HELD.withPaused(true));
    rig.await(ids, JobState.PENDING);
    return ids;
  }

  @Test
  default void promise4_jobsOfADeadEngine_runOnAnother_alsoWithOneAttempt(Rig rig) {
    FlakyStore store = rig.flaky();
    CountDownLatch running = new CountDownLatch(3);
    CountDownLatch gate = rig.gate();
    Sluice dying = rig.start(
        rig.engine(store).lease(Rig.SHORT_LEASE).handler(Rig.type().handle((job, context) -> {
          running.countDown();
          TimeoutContract.ignoreInterrupts(gate);
        })));
    List<UUID> ids = new ArrayList<>();
    Rig.jobs(3).forEach(j -> ids.add(dying.enqueue(j.maxAttempts(1)).id()));
    Rig.await(running);
    store.failUntilMended();
    Sluice other = rig.start(rig.engine()
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> assertThat(job.attempt()).isEqualTo(1))));
    rig.await(ids, JobState.COMPLETED);
    for (UUID id : ids) {
      assertThat(rig.find(id).status().errors()).extracting("code").containsExactly("WORKER_LOST");
    }
    Eventually.await("all are counted", () -> other.stats().work().completed() == 3);
  }

  @Test
  default void promise3_outcomeOfALostClaim_isRefused(Rig rig) {
    FlakyStore store = rig.flaky();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice slow = rig.start(
        rig.engine(store).lease(Rig.SHORT_LEASE).handler(Rig.type().handle((job, context) -> {
          running.countDown();
          TimeoutContract.ignoreInterrupts(gate);
          context.result("from the first");
        })));
    UUID id = slow.enqueue(Rig.job()).id();
    Rig.await(running);
    store.onlyOn("heartbeat", "register");
    store.failUntilMended();
    rig.start(rig.engine()
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> context.result("from the second"))));
    rig.await(id, JobState.COMPLETED);
    gate.countDown();
    rig.heard().await(id, Event.Kind.LOST);
    assertThat(rig.find(id).status().result()).isEqualTo("\"from the second\"");
  }

  @Test
  default void promise8_aloneThreeTimes_isDead(Rig rig) {
    Sluice engine = bystander(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    for (int strike = 1; strike <= 3; strike++) {
      rig.loseAll(
          List.of(id),
          Set.of(),
          claimed -> rig.store().started(claimed.getFirst().ref(), true));
      Eventually.await("rescued", () -> rig.find(id).state() != JobState.RUNNING);
    }
    JobRecord dead = rig.find(id);
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("WORKER_LOST");
    assertThat(dead.status().errors()).hasSize(3);
    rig.heard().await(id, Event.Kind.DEAD);
  }

  @Test
  default void promise8_inCompany_isNoStrike_butRunsAloneNext(Rig rig) {
    Sluice engine = bystander(rig);
    List<UUID> ids = engine.enqueueAll(Rig.jobs(4)).stream().map(Enqueued::id).toList();
    rig.loseAll(ids);
    rig.await(ids, JobState.PENDING);
    assertThat(ids).allMatch(id -> rig.find(id).status().strikes() == 0);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger company = new AtomicInteger();
    rig.start(patient(rig).slots(8).handler(Rig.type().handle((job, context) -> {
      int now = inside.incrementAndGet();
      LockSupport.parkNanos(5_000_000);
      if (ids.contains(job.id())) {
        company.accumulateAndGet(Math.max(now, inside.get()), Math::max);
      }
      inside.decrementAndGet();
    })));
    List<UUID> others =
        engine.enqueueAll(Rig.jobs(20)).stream().map(Enqueued::id).toList();
    rig.await(ids, JobState.COMPLETED);
    rig.await(others, JobState.COMPLETED);
    assertThat(ids).allMatch(id -> rig.find(id).attempt() == 1);
    assertThat(company).as("run at once with a suspect").hasValue(1);
  }

  @Test
  default void suspect_isNotStarvedByOthers_andHasTheEngineForItself(Rig rig) {
    Sluice engine = bystander(rig);
    List<UUID> ids = engine.enqueueAll(List.of(Rig.job("suspect"), Rig.job("suspect"))).stream()
        .map(Enqueued::id)
        .toList();
    rig.loseAll(ids);
    rig.await(ids, JobState.PENDING);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger company = new AtomicInteger();
    CountDownLatch gate = rig.gate();
    // Jobs of 1.5 s each: longer than what is claimed may wait for a slot.
    Sluice worker = rig.start(patient(rig).slots(3).handler(Rig.type().handle((job, c) -> {
      int now = inside.incrementAndGet();
      if (job.payload().text().equals("suspect")) {
        company.accumulateAndGet(now, Math::max);
      } else {
        gate.await(1_500, TimeUnit.MILLISECONDS);
      }
      inside.decrementAndGet();
    })));
    for (int i = 0; i < 12; i++) {
      worker.enqueue(Rig.job().priority(Priority.HIGH));
    }
    rig.await(ids, JobState.COMPLETED);
    assertThat(company).hasValue(1);
    gate.countDown();
  }

  @Test
  default void suspects_startTogetherInCompany_whenTheirPatienceRanOut(Rig rig) {
    List<UUID> ids = suspects(rig, 3);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(3);
    CountDownLatch gate = rig.gate();
    Sluice worker =
        rig.start(rig.engine(rig.another()).slots(4).handler(Rig.type().handle((job, context) -> {
          (ids.contains(job.id()) ? together : busy).countDown();
          gate.await();
        })));
    UUID plain = worker.enqueue(Rig.job()).id();
    Rig.await(busy);
    rig.store().queues().save(HELD);
    Rig.await(together);
    assertThat(held(rig))
        .allMatch(claim -> claim.started() == ids.contains(claim.ref().job()));
    assertThat(held(rig)).hasSize(4).noneMatch(LostClaim::alone);
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
    rig.await(plain, JobState.COMPLETED);
  }

  @Test
  default void suspect_thatRunsLong_isJoinedByOthers_onceItNoLongerCountsAsAlone(Rig rig) {
    UUID suspect = suspects(rig, 1).getFirst();
    FlakyStore store = rig.flaky();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch joined = new CountDownLatch(2);
    CountDownLatch gate = rig.gate();
    Sluice worker =
        rig.start(rig.engine(store).slots(4).handler(Rig.type().handle((job, context) -> {
          (suspect.equals(job.id()) ? running : joined).countDown();
          gate.await();
        })));
    rig.store().queues().save(HELD);
    Rig.await(running);
    assertThat(held(rig)).hasSize(1).allMatch(LostClaim::alone);
    store.onlyOn("started");
    store.failUntilMended();
    int before = store.calls("started");
    worker.enqueueAll(Rig.jobs(2));
    Eventually.await("others try to start", () -> store.calls("started") > before + 2);
    assertThat(joined.getCount()).as("without a word to the store").isEqualTo(2);
    store.mend();
    Rig.await(joined);
    assertThat(held(rig)).hasSize(3).noneMatch(LostClaim::alone);
    gate.countDown();
    rig.await(suspect, JobState.COMPLETED);
  }

  private static List<LostClaim> held(Rig rig) {
    Workers workers = rig.store().workers();
    return workers.live().stream()
        .flatMap(worker -> workers.held(worker.id()).stream())
        .toList();
  }

  @Test
  default void promise8_notIdempotent_isDeadWhenItHadStarted_andRunsWhenNot(Rig rig) {
    Sluice engine = bystander(rig);
    List<UUID> ids = engine.enqueueAll(Rig.jobs(2)).stream().map(Enqueued::id).toList();
    rig.loseAll(
        ids,
        Set.of(Rig.TYPE),
        claimed -> claimed.stream()
            .filter(c -> c.ref().job().equals(ids.getFirst()))
            .forEach(c -> rig.store().started(c.ref(), false)));
    JobRecord dead = rig.await(ids.getFirst(), JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("WORKER_LOST");
    JobRecord back = rig.await(ids.getLast(), JobState.PENDING);
    assertThat(back.attempt()).isZero();
    assertThat(back.status().errors()).isEmpty();
  }

  @Test
  default void longHandler_isNeverRescued_whileItsEngineLives(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    AtomicInteger runs = new AtomicInteger();
    FlakyStore store = rig.flaky();
    Sluice engine = rig.start(rig.engine(store).handler(Rig.type().handle((job, context) -> {
      runs.incrementAndGet();
      running.countDown();
      gate.await();
    })));
    bystander(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    int beats = store.calls("heartbeat");
    Eventually.await("two leases pass", () -> store.calls("heartbeat") >= beats + 7);
    gate.countDown();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  default void promise2_twoEngines_runEachJobOnce(Rig rig) {
    ConcurrentMap<UUID, AtomicInteger> runs = new ConcurrentHashMap<>();
    for (int i = 0; i < 3; i++) {
      rig.start(rig.engine(rig.another()).handler(Rig.type().handle((job, context) -> {
        runs.computeIfAbsent(job.id(), id -> new AtomicInteger()).incrementAndGet();
        if (job.attempt() == 1 && job.payload().text().endsWith("7")) {
          throw new IOException("again");
        }
      })));
    }
    Sluice producer = rig.start(rig.engine());
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      producer
          .enqueueAll(
              Rig.jobs(500).stream().map(j -> j.retry(RetryingContract.QUICK)).toList())
          .forEach(e -> ids.add(e.id()));
    }
    rig.await(ids, JobState.COMPLETED);
    assertThat(runs).hasSize(2000);
    assertThat(runs.values().stream().mapToInt(AtomicInteger::get).sum()).isEqualTo(2200);
  }
}
