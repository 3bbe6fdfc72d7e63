package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.Event;
import io.sluice.JobState;
import io.sluice.Sluice;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that fails for a while, and answers that are lost. */
public interface OutageContract extends EngineTopic {
  private static List<UUID> ids(List<Enqueued> enqueued) {
    return enqueued.stream().map(Enqueued::id).toList();
  }

  @Test
  default void promise2_outage_losesNothing(Rig rig) {
    Wire wire = rig.wire();
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(wire.store())
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    List<UUID> ids = ids(engine.enqueueAll(Rig.jobs(1000)));
    Eventually.await("some ran", () -> runs.get() > 20);
    wire.cut();
    int before = wire.calls("finish") + wire.calls("claim") + wire.calls("heads");
    Eventually.await(
        "the engine tries in vain",
        () -> wire.calls("finish") + wire.calls("claim") + wire.calls("heads") > before + 3);
    wire.mend();
    rig.await(ids, JobState.COMPLETED);
  }

  @Test
  default void promise5_lostAnswerToAFinish_isNoSecondRun_andTheEndIsTold(Rig rig) {
    Wire wire = rig.wire().loseAnswers("finish", 2);
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(wire.store())
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.heard().await(id, Event.Kind.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(rig.find(id).attempt()).isEqualTo(1);
    assertThat(rig.heard().of(id)).doesNotContain(Event.Kind.LOST);
    assertThat(runs).hasValue(2);
  }

  @Test
  default void promise8_lostAnswerToAClaim_givesTheJobBackUnspent(Rig rig) {
    Wire wire = rig.wire().loseAnswers("claim", 1);
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(wire.store())
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    UUID id = engine.enqueue(Rig.job().maxAttempts(1)).id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
    assertThat(runs).hasValue(1);
    assertThat(wire.calls("held")).isPositive();
  }

  @Test
  default void promise4_withoutHeartbeats_nothingStarts_runningIsInterrupted_andWorkGoesOn(
      Rig rig) {
    Wire wire = rig.wire();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    AtomicInteger quick = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(wire.store())
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> {
          if (!job.payload().text().equals("long") || interrupted.getCount() == 0) {
            quick.incrementAndGet();
            return;
          }
          running.countDown();
          try {
            gate.await();
          } finally {
            interrupted.countDown();
          }
        })));
    UUID slow = engine.enqueue(Rig.job("long").maxAttempts(1)).id();
    Rig.await(running);
    wire.cut("heartbeat", "register");
    Rig.await(interrupted);
    UUID late = engine.enqueue(Rig.job()).id();
    int polls = wire.calls("expire");
    Eventually.await("polls pass", () -> wire.calls("expire") > polls + 5);
    assertThat(quick).as("nothing is started without a lease").hasValue(0);
    wire.mend();
    rig.await(late, JobState.COMPLETED);
    rig.await(slow, JobState.COMPLETED);
    assertThat(quick).hasValue(2);
    rig.heard().await(slow, Event.Kind.LOST);
  }

  @Test
  default void answerToAHeartbeat_afterTheLapse_leavesNoJobBehind(Rig rig) {
    Wire wire = rig.wire();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine(wire.store())
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> {
          if (interrupted.getCount() > 0) {
            running.countDown();
            try {
              gate.await();
            } finally {
              interrupted.countDown();
            }
          }
        })));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    CountDownLatch answer = wire.holdAnswers("heartbeat");
    Rig.await(interrupted);
    wire.mend();
    answer.countDown();
    rig.await(id, JobState.COMPLETED);
  }

  @Test
  default void promise4_answerToAClaim_afterTheLapse_startsNothing(Rig rig) {
    Wire wire = rig.wire();
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(wire.store())
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    CountDownLatch answer = wire.holdAnswers("claim");
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.RUNNING);
    wire.cut("heartbeat");
    int signOns = wire.calls("register");
    Eventually.await("it signed on anew", () -> wire.calls("register") > signOns);
    wire.mend();
    answer.countDown();
    rig.await(id, JobState.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(runs).as("the stale claim was not started").hasValue(2);
  }

  @Test
  default void notesThatCannotBeKept_costNothing(Rig rig) {
    Wire wire = rig.wire().cut("progress", "log");
    Sluice engine = rig.start(rig.engine(wire.store()).handler(Rig.type().handle((job, context) -> {
      context.progress(50, "half");
      context.log("line");
    })));
    UUID id = engine.enqueue(Rig.job()).id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
  }
}
