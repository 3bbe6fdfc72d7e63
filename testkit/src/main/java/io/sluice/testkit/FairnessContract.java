package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Limit;
import io.sluice.Priority;
import io.sluice.Scope;
import io.sluice.Sluice;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No tenant, queue or key waits for the backlog of another. */
public interface FairnessContract extends EngineTopic {
  /** Runs these with one slot, which opens when all are in, and returns the order of their payloads. */
  private static List<String> order(Rig rig, List<JobRequest> jobs) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine().slots(1).handler(Rig.type().handle((job, context) -> {
      if (job.payload().text().equals("plug")) {
        gate.await();
      } else {
        order.add(job.payload().text());
      }
    })));
    rig.await(engine.enqueue(Rig.job("plug")).id(), JobState.RUNNING);
    List<UUID> ids = engine.enqueueAll(jobs).stream().map(e -> e.id()).toList();
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
    return order;
  }

  private static List<JobRequest> jobs(int n, String text) {
    return IntStream.range(0, n).mapToObj(i -> Rig.job(text)).toList();
  }

  @Test
  default void backlogOfATenant_holdsUpNoOther(Rig rig) {
    List<JobRequest> jobs = new ArrayList<>();
    jobs(1000, "big").forEach(job -> jobs.add(job.tenant("big")));
    jobs(10, "small").forEach(job -> jobs.add(job.tenant("small")));
    List<String> order = order(rig, jobs);
    assertThat(order.lastIndexOf("small")).isLessThan(200);
  }

  @Test
  default void backlogOfALimitKey_holdsUpNoOther(Rig rig) {
    List<JobRequest> jobs = new ArrayList<>();
    jobs(1000, "big").forEach(job -> jobs.add(job.limitKey("big")));
    jobs(10, "small").forEach(job -> jobs.add(job.limitKey("small")));
    List<String> order = order(rig, jobs);
    assertThat(order.lastIndexOf("small")).isLessThan(200);
  }

  @Test
  default void limitThatTenantsShare_isUsedByThemInTurn(Rig rig) {
    rig.store().limits().save(new Limit(Scope.global(), null, 1));
    List<JobRequest> jobs = new ArrayList<>();
    jobs(100, "big").forEach(job -> jobs.add(job.tenant("big")));
    jobs(5, "small").forEach(job -> jobs.add(job.tenant("small")));
    assertThat(order(rig, jobs).lastIndexOf("small")).isLessThan(50);
  }

  @Test
  default void moreLanesThanOneLookTakesIn_areAllServed(Rig rig) {
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      jobs.add(Rig.job("key " + i).limitKey("key-" + i));
    }
    assertThat(order(rig, jobs)).doesNotHaveDuplicates().hasSize(300);
  }

  @Test
  default void jobOfAQuietQueue_isStarted_whileAnotherHasAllTheSlots(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine().slots(2).handler(Rig.type().handle((job, context) -> {
      if (job.payload().text().equals("busy")) {
        gate.await();
      }
    })));
    engine.enqueueAll(jobs(20, "busy").stream().map(job -> job.tenant("busy")).toList());
    Eventually.await("both slots are taken", () -> engine.stats().in(JobState.RUNNING) >= 2);
    UUID quiet = engine.enqueue(Rig.job("quiet").tenant("quiet")).id();
    Eventually.await("it is claimed", () -> rig.find(quiet).state() == JobState.RUNNING);
    gate.countDown();
    rig.await(quiet, JobState.COMPLETED);
  }

  @Test
  default void remoteWorker_isGivenJobsOfAllKeysInTurn(Rig rig) {
    Sluice engine = Puller.desk(rig);
    engine.enqueueAll(jobs(20, "big").stream().map(job -> job.limitKey("big")).toList());
    UUID small = engine.enqueue(Rig.job("small").limitKey("small")).id();
    UUID urgent = engine.enqueue(Jobs.of("other", 1).priority(Priority.HIGH)).id();
    assertThat(Puller.ids(Puller.pull(engine, 1))).containsExactly(urgent);
    Puller.pull(engine, 1);
    assertThat(Puller.ids(Puller.pull(engine, 1))).containsExactly(small);
  }
}
