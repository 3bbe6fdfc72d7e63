package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.Fullness;
import io.sluice.HealthRules;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.store.TenantCap;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How an engine tells that queues and tenants fill up, and when to come back to a full one. */
public interface PressureContract extends EngineTopic {
  QueueSettings SMALL = QueueSettings.of("small").withMaxSize(10L);

  @Test
  default void levels_areToldOnce_asAQueueFillsAndEmpties(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(SMALL));
    fill(engine, "small", 5);
    awaitLevels(rig, "small", Level.WARNING);
    fill(engine, "small", 4);
    awaitLevels(rig, "small", Level.WARNING, Level.HIGH);
    fill(engine, "small", 1);
    awaitLevels(rig, "small", Level.WARNING, Level.HIGH, Level.FULL);
    engine.cancelWaiting(WaitingJobs.ofQueue("default", "small"), "enough");
    awaitLevels(rig, "small", Level.WARNING, Level.HIGH, Level.FULL, Level.NORMAL);
    Event.LevelChanged last = told(rig, "small").getLast();
    assertThat(last.before()).isEqualTo(Level.FULL);
    assertThat(last.unfinished()).isZero();
    assertThat(last.maxSize()).isEqualTo(10);
  }

  @Test
  default void levels_goByTheQueuesOwnMarks_elseByTheEngines(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .health(HealthRules.DEFAULT.withLevels(0.1, 0.2))
        .queue(SMALL.withLevels(new Marks(0.3, 0.4)))
        .queue(QueueSettings.of("other").withMaxSize(10L)));
    fill(engine, "small", 3);
    fill(engine, "other", 3);
    awaitLevels(rig, "small", Level.WARNING);
    awaitLevels(rig, "other", Level.HIGH);
  }

  @Test
  default void levels_ofATenant_areTold_overAllItsQueues(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(SMALL));
    engine.queues().capTenant("default", new TenantCap(4, new Marks(0.5, 0.75)));
    fill(engine, "small", 1);
    engine.enqueue(waiting("default"));
    awaitLevels(rig, null, Level.WARNING);
    assertThat(told(rig, null).getLast().tenant()).isEqualTo("default");
    fill(engine, "small", 2);
    awaitLevels(rig, null, Level.WARNING, Level.FULL);
    SluiceException full =
        Rig.refused(ErrorCode.QUEUE_FULL, () -> engine.enqueue(waiting("default")));
    assertThat(full)
        .hasMessageContaining(
            "tenant 'default' holds, in all its queues, 4 unfinished jobs of at most 4");
    assertThat(engine.fullness())
        .extracting(Fullness::queue, Fullness::level, Fullness::unfinished, Fullness::maxSize)
        .contains(tuple(null, Level.FULL, 4L, 4L));
  }

  @Test
  default void liftedCap_isToldAsNormal_andANewOneAnew(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(SMALL));
    fill(engine, "small", 10);
    awaitLevels(rig, "small", Level.FULL);
    engine.queues().save(QueueSettings.of("small"));
    awaitLevels(rig, "small", Level.FULL, Level.NORMAL);
    assertThat(told(rig, "small").getLast().maxSize()).isNull();
    assertThat(engine.fullness()).isEmpty();
    engine.queues().save(SMALL);
    awaitLevels(rig, "small", Level.FULL, Level.NORMAL, Level.FULL);
  }

  @Test
  default void engineThatStartsLater_tellsItsOwnListeners(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(SMALL));
    fill(engine, "small", 9);
    Heard later = new Heard();
    rig.start(rig.engine(rig.another()).withoutDuties().withoutWork().listener(later));
    Eventually.await("it is told", () -> levels(later, "small").equals(List.of(Level.HIGH)));
  }

  @Test
  default void fullQueue_saysWhenToComeBack(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(SMALL));
    List<UUID> jobs = fill(engine, "small", 10);
    assertThat(retryAfter(engine)).isEqualTo(Defaults.RETRY_WHEN_FULL);
    Eventually.await("it is watched", () -> !engine.fullness().isEmpty());
    jobs.subList(0, 5).forEach(engine::cancel);
    fill(engine, "small", 5);
    Eventually.await("the rate is known", () -> engine.fullness().getFirst().endsPerSecond() > 0);
    assertThat(retryAfter(engine)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(9));
    SluiceException hopeless =
        Rig.refused(ErrorCode.QUEUE_FULL, () -> engine.enqueueAll(waiting("small", 11)));
    assertThat(hopeless.retryAfter()).contains(Defaults.LONGEST_RETRY_WHEN_FULL);
  }

  private static Duration retryAfter(Sluice engine) {
    SluiceException full =
        Rig.refused(ErrorCode.QUEUE_FULL, () -> engine.enqueue(waiting("small")));
    assertThat(full)
        .hasMessageContaining(
            "queue 'small' of tenant 'default' holds 10 unfinished jobs of at most 10");
    return full.retryAfter().orElseThrow();
  }

  /** Puts jobs in, all in one write: nobody sees a part of them. */
  private static List<UUID> fill(Sluice engine, String queue, int jobs) {
    return engine.enqueueAll(waiting(queue, jobs)).stream().map(Enqueued::id).toList();
  }

  private static List<JobRequest> waiting(String queue, int jobs) {
    return IntStream.range(0, jobs).mapToObj(i -> waiting(queue)).toList();
  }

  /** A job that nobody handles. */
  private static JobRequest waiting(String queue) {
    return Jobs.of("nobody.does").queue(queue);
  }

  private static List<Event.LevelChanged> told(Rig rig, @Nullable String queue) {
    return changes(rig.heard(), queue);
  }

  private static List<Event.LevelChanged> changes(Heard heard, @Nullable String queue) {
    return heard.all().stream()
        .filter(Event.LevelChanged.class::isInstance)
        .map(Event.LevelChanged.class::cast)
        .filter(change -> Objects.equals(change.queue(), queue))
        .toList();
  }

  private static List<Level> levels(Heard heard, @Nullable String queue) {
    return changes(heard, queue).stream().map(Event.LevelChanged::level).toList();
  }

  private static void awaitLevels(Rig rig, @Nullable String queue, Level... levels) {
    Eventually.await(
        "told of " + queue + ": " + List.of(levels),
        () -> levels(rig.heard(), queue).equals(List.of(levels)));
  }
}
