package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that fails for a while, and answers that are lost. */
public interface OutageContract extends EngineTopic {
  private static List<UUID> ids(List<Enqueued> enqueued) {
    return enqueued.stream().map(Enqueued::id).toList();
  }

  @Test
  default void promise2_outage_losesNothing(Rig rig) {
    FlakyStore store = rig.flaky();
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(
        rig.engine(store).handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    List<UUID> ids = ids(engine.enqueueAll(Rig.jobs(1000)));
    Eventually.await("some ran", () -> runs.get() > 20);
    store.failUntilMended();
    long before = store.calls();
    Eventually.await("the engine tries in vain", () -> store.calls() > before + 20);
    store.mend();
    rig.await(ids, JobState.COMPLETED);
  }

  @Test
  default void promise5_lostAnswerToAFinish_isNoSecondRun_andTheEndIsTold(Rig rig) {
    FlakyStore store = rig.flaky();
    store.onlyOn("finish");
    store.loseReplies(2);
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(
        rig.engine(store).handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
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
    FlakyStore store = rig.flaky();
    store.onlyOn("claim");
    store.loseReplies(1);
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(
        rig.engine(store).handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    UUID id = engine.enqueue(Rig.job().maxAttempts(1)).id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
    assertThat(runs).hasValue(1);
    assertThat(store.calls("held")).isPositive();
  }

  @Test
  default void promise8_claimThatIsWrittenLate_givesTheJobBackUnspent(Rig rig) {
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(new LateClaim(rig.another()))
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    UUID id = engine.enqueue(Rig.job().maxAttempts(1)).id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
    assertThat(runs).hasValue(1);
  }

  /**
   * A store that fails on the first claim and writes it when the next one comes, long after its caller
   * gave up, as a database does that has not noticed that its client is gone.
   */
  final class LateClaim extends ForwardingStore {
    private @Nullable Claim late;
    private boolean failed;

    LateClaim(JobStore store) {
      super(store);
    }

    @Override
    public synchronized Claimed claim(Claim claim) {
      if (!failed) {
        failed = true;
        late = claim;
        throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "the connection was reset");
      }
      if (late != null) {
        assertThat(super.claim(late).jobs()).as("written late").hasSize(1);
        late = null;
      }
      return super.claim(claim);
    }
  }

  @Test
  default void promise4_withoutHeartbeats_nothingStarts_runningIsInterrupted_andWorkGoesOn(
      Rig rig) {
    FlakyStore store = rig.flaky();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    AtomicInteger quick = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(store)
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
    store.onlyOn("heartbeat", "register");
    store.failUntilMended();
    Rig.await(interrupted);
    UUID late = engine.enqueue(Rig.job()).id();
    int polls = store.calls("expire");
    Eventually.await("polls pass", () -> store.calls("expire") > polls + 5);
    assertThat(quick).as("nothing is started without a lease").hasValue(0);
    store.mend();
    rig.await(late, JobState.COMPLETED);
    rig.await(slow, JobState.COMPLETED);
    assertThat(quick).hasValue(2);
    rig.heard().await(slow, Event.Kind.LOST);
  }

  @Test
  default void answerToAHeartbeat_afterTheLapse_leavesNoJobBehind(Rig rig) {
    FlakyStore store = rig.flaky();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine(store)
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
    store.holdReplies("heartbeat");
    Rig.await(interrupted);
    store.mend();
    rig.await(id, JobState.COMPLETED);
  }

  @Test
  default void promise4_answerToAClaim_afterTheLapse_startsNothing(Rig rig) {
    FlakyStore store = rig.flaky();
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine(store)
        .lease(Rig.SHORT_LEASE)
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    store.holdReplies("claim");
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.RUNNING);
    store.onlyOn("heartbeat");
    store.failUntilMended();
    int signOns = store.calls("register");
    Eventually.await("it signed on anew", () -> store.calls("register") > signOns);
    store.mend();
    rig.await(id, JobState.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(runs).as("the stale claim was not started").hasValue(2);
  }

  @Test
  default void notesThatCannotBeKept_costNothing(Rig rig) {
    FlakyStore store = rig.flaky();
    store.onlyOn("progress", "log");
    store.failUntilMended();
    Sluice engine = rig.start(rig.engine(store).handler(Rig.type().handle((job, context) -> {
      context.progress(50, "half");
      context.log("line");
    })));
    UUID id = engine.enqueue(Rig.job()).id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isEqualTo(1);
  }
}
