package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which jobs run first, and which not at all. */
public interface OrderContract extends EngineTopic {
  /** One slot that is taken until the gate opens, so that what is enqueued meanwhile is sorted. */
  private static SluiceBuilder queued(Rig rig, List<String> order, CountDownLatch gate) {
    return rig.engine()
        .slots(1)
        .queue(QueueSettings.of("q"))
        .handler(Rig.type().handle((job, context) -> {
          if (job.payload().text().equals("plug")) {
            gate.await();
          } else {
            order.add(job.payload().text());
          }
        }));
  }

  private static Sluice plugged(Rig rig, List<String> order, CountDownLatch gate) {
    Sluice engine = rig.start(queued(rig, order, gate));
    rig.await(engine.enqueue(Rig.job("plug").queue("q")).id(), JobState.RUNNING);
    return engine;
  }

  @Test
  default void onePriority_isFirstInFirstOut(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch gate = rig.gate();
    Sluice engine = plugged(rig, order, gate);
    List<UUID> ids = new ArrayList<>();
    Rig.jobs(40).forEach(j -> ids.add(engine.enqueue(j.queue("q")).id()));
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
    assertThat(order)
        .containsExactlyElementsOf(
            IntStream.range(0, 40).mapToObj(String::valueOf).toList());
  }

  @Test
  default void lowerNumber_goesFirst(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch gate = rig.gate();
    Sluice engine = plugged(rig, order, gate);
    List<UUID> ids = new ArrayList<>();
    for (Priority priority : List.of(
        Priority.LOW, Priority.NORMAL, Priority.CRITICAL, new Priority(20), Priority.HIGH)) {
      JobRequest job = Rig.job(String.valueOf(priority.value())).queue("q").priority(priority);
      ids.add(engine.enqueue(job).id());
    }
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
    assertThat(order).containsExactly("0", "5", "10", "15", "20");
  }

  @Test
  default void pausedQueue_waits_andResumes(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    Sluice engine = rig.start(queued(rig, order, rig.gate()));
    engine.pause("q");
    UUID held = engine.enqueue(Rig.job("held").queue("q")).id();
    UUID other = engine.enqueue(Rig.job("other")).id();
    rig.await(other, JobState.COMPLETED);
    assertThat(rig.find(held).state()).isEqualTo(JobState.PENDING);
    engine.resume("q");
    assertThat(rig.await(held, JobState.COMPLETED).attempt()).isEqualTo(1);
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.pause("nowhere"));
  }

  @Test
  default void resumedQueue_goesOn_withoutWaitingForThePoll(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    Sluice engine = rig.start(queued(rig, order, rig.gate()).poll(Duration.ofMinutes(1)));
    for (int i = 0; i < 10; i++) {
      engine.pause("q");
      UUID held = engine.enqueue(Rig.job("held").queue("q")).id();
      rig.await(engine.enqueue(Rig.job("other")).id(), JobState.COMPLETED);
      engine.resume("q");
      rig.await(held, JobState.COMPLETED);
    }
  }

  @Test
  default void promise7_typeNobodyHandles_waits(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID waits = engine.enqueue(Jobs.of("unknown").priority(Priority.CRITICAL)).id();
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(rig.find(waits).state()).isEqualTo(JobState.PENDING);
    assertThat(rig.find(waits).attempt()).isZero();
    rig.start(rig.engine(rig.another()).handler("unknown", Object.class, (job, context) -> {}));
    rig.await(waits, JobState.COMPLETED);
  }

  @Test
  default void requireHandler_isRefused_whenNobodyHandlesTheType(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    Rig.refused(
        ErrorCode.HANDLER_NOT_FOUND, () -> engine.enqueue(Jobs.of("unknown").requireHandler()));
    rig.await(engine.enqueue(Rig.job().requireHandler()).id(), JobState.COMPLETED);
    rig.start(rig.engine(rig.another()).handler("unknown", Object.class, (job, context) -> {}));
    rig.await(engine.enqueue(Jobs.of("unknown").requireHandler()).id(), JobState.COMPLETED);
  }

  @Test
  default void onlyQueues_leavesTheOthers(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .onlyQueues("mine")
        .queue(QueueSettings.of("mine"))
        .handler(Rig.type().handle((job, context) -> {})));
    UUID other = engine.enqueue(Rig.job()).id();
    rig.await(engine.enqueue(Rig.job().queue("mine")).id(), JobState.COMPLETED);
    assertThat(rig.find(other).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  default void queues_shareTheRoom_byTheirPriority(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("plug"))
        .queue(QueueSettings.of("heavy").withPriority(new Priority(3)))
        .queue(QueueSettings.of("light").withPriority(new Priority(19)))
        .handler(Rig.type().handle((job, context) -> {
          if (job.queue().equals("plug")) {
            gate.await();
          } else {
            order.add(job.queue());
          }
        })));
    rig.await(engine.enqueue(Rig.job().queue("plug")).id(), JobState.RUNNING);
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      jobs.add(Rig.job().queue("heavy"));
      jobs.add(Rig.job().queue("light"));
    }
    List<UUID> ids = engine.enqueueAll(jobs).stream().map(Enqueued::id).toList();
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
    // About a tenth, give or take much: a claim takes a whole share of one queue after the other,
    // and the
    // slower the machine, the larger. Without weights it would be half, with strict priority
    // nothing.
    List<String> start = order.subList(0, 2000);
    assertThat(start.stream().filter("light"::equals).count()).isBetween(20L, 900L);
  }

  @Test
  default void longQueue_doesNotStarveAnother(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch gate = rig.gate();
    Sluice engine = plugged(rig, order, gate);
    engine.enqueueAll(Rig.jobs(2000).stream().map(j -> j.queue("q")).toList());
    UUID other = engine.enqueue(Rig.job("other")).id();
    gate.countDown();
    rig.await(other, JobState.COMPLETED);
    assertThat(order.indexOf("other")).isBetween(0, 1000);
  }

  @Test
  default void delayedJob_runsInItsTime_andNotBefore(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID soon = engine.enqueue(Rig.job().delay(Duration.ofMillis(300))).id();
    Instant moment = rig.store().now().plusMillis(300);
    UUID at = engine.enqueue(Rig.job().runAt(moment)).id();
    UUID late = engine.enqueue(Rig.job().delay(Duration.ofHours(1))).id();
    assertThat(rig.find(late).state()).isEqualTo(JobState.SCHEDULED);
    JobRecord done = rig.await(soon, JobState.COMPLETED);
    assertThat(done.status().finishedAt()).isAfterOrEqualTo(done.createdAt().plusMillis(300));
    assertThat(rig.await(at, JobState.COMPLETED).status().finishedAt())
        .isAfterOrEqualTo(moment.truncatedTo(ChronoUnit.MILLIS));
    assertThat(rig.find(late).state()).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  default void promise6_withEveryWakeupLost_workIsPickedUpByThePoll(Rig rig) {
    FlakyStore deaf = rig.flaky();
    deaf.loseWakeups();
    rig.start(rig.engine(deaf).handler(Rig.type().handle((job, context) -> {})));
    Sluice producer = rig.start(rig.engine());
    UUID now = producer.enqueue(Rig.job()).id();
    UUID soon = producer.enqueue(Rig.job().delay(Duration.ofMillis(100))).id();
    rig.await(List.of(now, soon), JobState.COMPLETED);
  }
}
