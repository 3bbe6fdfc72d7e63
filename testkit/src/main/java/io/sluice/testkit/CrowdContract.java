package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Event;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Limit;
import io.sluice.QueueSettings;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Scope;
import io.sluice.Sluice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lanes of which nothing may run keep no other tenant waiting, however many they are. */
public interface CrowdContract extends EngineTopic {
  /** More than twice what a round passes over of one tenant. */
  int LANES = 1_100;

  private static List<UUID> crowd(Sluice engine, IntFunction<JobRequest> job) {
    List<JobRequest> jobs =
        IntStream.range(0, LANES).mapToObj(i -> job.apply(i).tenant("crowd")).toList();
    return engine.enqueueAll(jobs).stream().map(e -> e.id()).toList();
  }

  /** Has every other tenant's work done, and the crowd's explained and not done. */
  private static void assertOthersRun(Rig rig, Sluice engine, List<UUID> crowd, ReasonCode why) {
    for (int round = 0; round < 3; round++) {
      List<UUID> others = new ArrayList<>();
      for (int tenant = 0; tenant < 5; tenant++) {
        others.add(engine.enqueue(Rig.job().tenant("other" + tenant)).id());
      }
      others.add(engine
          .enqueue(Rig.job().tenant("new" + why.name().toLowerCase(Locale.ROOT) + "-" + round))
          .id());
      rig.await(others, JobState.COMPLETED);
    }
    for (UUID job : List.of(crowd.getFirst(), crowd.getLast())) {
      assertThat(rig.find(job).state()).isEqualTo(JobState.PENDING);
      assertThat(engine.explain(job).orElseThrow().reasons())
          .extracting(Reason::code)
          .first()
          .isEqualTo(why);
    }
  }

  @Test
  default void lanesWithoutAHandler_keepNobodyWaiting_alsoAfterAStart(Rig rig) {
    Sluice before = rig.start(rig.engine().withoutWork());
    List<UUID> crowd = crowd(before, i -> Jobs.of("nobody." + i));
    UUID early = before.enqueue(Rig.job().tenant("early")).id();
    Sluice engine = rig.start(rig.engine().handler(Rig.type().handle((job, c) -> {})));
    rig.await(early, JobState.COMPLETED);
    assertOthersRun(rig, engine, crowd, ReasonCode.NO_WORKER);
  }

  @Test
  default void lanesThatAreHeld_byOneThingAndAnother_keepNobodyWaiting_andRunInTheEnd(Rig rig) {
    AtomicBoolean held = new AtomicBoolean();
    CountDownLatch gate = rig.gate();
    Scope type = Scope.type("crowd", Rig.TYPE);
    rig.store().breakers().save(type, BreakerSettings.DEFAULT);
    rig.store().limits().save(new Limit(Scope.tenant("crowd"), null, 1));
    Sluice engine = rig.start(rig.engine()
        .hold(lane -> held.get() && lane.tenant().equals("crowd"))
        .handler(Rig.type().handle((job, c) -> {}))
        .handler("plug", Object.class, (job, c) -> gate.await()));
    UUID plug = engine.enqueue(Jobs.of("plug").tenant("crowd")).id();
    rig.await(plug, JobState.RUNNING);

    engine.queues().save(QueueSettings.of("crowd", "many").withPaused(true));
    List<UUID> crowd = crowd(engine, i -> Rig.job().queue("many").limitKey("key-" + i));
    assertOthersRun(rig, engine, crowd, ReasonCode.QUEUE_PAUSED);

    held.set(true);
    engine.queues().pause("crowd", "many", false);
    assertOthersRun(rig, engine, crowd, ReasonCode.LANE_HELD);

    rig.store().breakers().forceOpen(type);
    Eventually.await("the engine has seen it", () -> isOpen(rig, type));
    held.set(false);
    assertOthersRun(rig, engine, crowd, ReasonCode.BREAKER_OPEN);

    engine.breakers().reset(type);
    assertOthersRun(rig, engine, crowd, ReasonCode.CONCURRENCY_LIMITED);

    rig.store().limits().delete(Scope.tenant("crowd"));
    gate.countDown();
    rig.await(crowd, JobState.COMPLETED);
  }

  private static boolean isOpen(Rig rig, Scope scope) {
    return rig.heard().all().stream()
        .anyMatch(event -> event instanceof Event.BreakerChanged changed
            && changed.scope().equals(scope)
            && changed.to() == BreakerState.FORCED_OPEN);
  }
}
