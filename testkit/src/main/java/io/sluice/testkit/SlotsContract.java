package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** How many jobs run at once. */
public interface SlotsContract extends EngineTopic {
  /** Counts how many are inside at once, by key, and remembers the most. */
  final class Turnstile {
    private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> most = new ConcurrentHashMap<>();

    /** Is inside for a moment that lets others come in. */
    void pass(String... keys) {
      for (String key : keys) {
        int now = counter(inside, key).incrementAndGet();
        counter(most, key).accumulateAndGet(now, Math::max);
      }
      LockSupport.parkNanos(300_000);
      for (String key : keys) {
        counter(inside, key).decrementAndGet();
      }
    }

    int most(String key) {
      return counter(most, key).get();
    }

    private static AtomicInteger counter(Map<String, AtomicInteger> map, String key) {
      return map.computeIfAbsent(key, k -> new AtomicInteger());
    }
  }

  private static List<UUID> ids(List<Enqueued> enqueued) {
    return enqueued.stream().map(Enqueued::id).toList();
  }

  @Test
  default void slotsOfTheInstance_areNeverExceeded(Rig rig) {
    Turnstile turnstile = new Turnstile();
    Sluice engine = rig.start(
        rig.engine().slots(4).handler(Rig.type().handle((job, c) -> turnstile.pass("all"))));
    rig.await(ids(engine.enqueueAll(Rig.jobs(300))), JobState.COMPLETED);
    assertThat(turnstile.most("all")).isBetween(1, 4);
  }

  @Test
  default void maxConcurrentOfAQueue_holdsOverAllInstances_andAllItsPlacesAreUsed(Rig rig) {
    Turnstile turnstile = new Turnstile();
    QueueSettings queue = QueueSettings.of("narrow").withMaxConcurrent(3);
    Sluice first = rig.start(rig.engine()
        .queue(queue)
        .handler(Rig.type().handle((job, c) -> turnstile.pass(job.queue()))));
    rig.start(rig.engine(rig.another())
        .handler(Rig.type().handle((job, c) -> turnstile.pass(job.queue()))));
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(Rig.job().queue("narrow"));
      jobs.add(Rig.job());
    }
    List<UUID> ids = ids(first.enqueueAll(jobs));
    rig.await(ids, JobState.COMPLETED);
    assertThat(turnstile.most("narrow")).isEqualTo(3);
    assertThat(ids).allMatch(id -> rig.find(id).attempt() == 1);
  }

  @Test
  default void aFullQueue_goesOn_asSoonAsAPlaceIsFree(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine()
        .poll(Duration.ofSeconds(15))
        .queue(QueueSettings.of("single").withMaxConcurrent(1))
        .handler(Rig.type().handle((job, c) -> {
          if (job.payload().text().equals("holds")) {
            gate.await();
          }
        })));
    UUID holds = engine.enqueue(Rig.job("holds").queue("single")).id();
    rig.await(holds, JobState.RUNNING);
    List<UUID> waiting =
        ids(engine.enqueueAll(List.of(Rig.job("a").queue("single"), Rig.job("b").queue("single"))));
    rig.await(engine.enqueue(Rig.job("other")).id(), JobState.COMPLETED);
    assertThat(waiting).allMatch(id -> rig.find(id).state() == JobState.PENDING);
    engine.cancel(holds);
    rig.await(waiting, JobState.COMPLETED);
  }

  @Test
  default void maxConcurrent_changesWhileJobsRun(Rig rig) {
    CountDownLatch gate = rig.gate();
    AtomicInteger inside = new AtomicInteger();
    Sluice engine = rig.start(rig.engine()
        .slots(8)
        .queue(QueueSettings.of("q").withMaxConcurrent(1))
        .handler(Rig.type().handle((job, c) -> {
          inside.incrementAndGet();
          gate.await();
        })));
    List<JobRequest> jobs = Rig.jobs(6).stream().map(job -> job.queue("q")).toList();
    List<UUID> ids = ids(engine.enqueueAll(jobs));
    Eventually.await("one runs", () -> inside.get() == 1);
    engine.queues().save(QueueSettings.of("q").withMaxConcurrent(4));
    Eventually.await("four run", () -> inside.get() == 4);
    engine.queues().save(QueueSettings.of("q"));
    Eventually.await("all run", () -> inside.get() == 6);
    gate.countDown();
    rig.await(ids, JobState.COMPLETED);
  }

  @Test
  default void slots_letJobsRunAtTheSameTime(Rig rig) {
    CyclicBarrier meeting = new CyclicBarrier(5);
    Sluice engine = rig.start(rig.engine()
        .slots(5)
        .handler(Rig.type().handle((job, context) -> meeting.await(15, TimeUnit.SECONDS))));
    rig.await(ids(engine.enqueueAll(Rig.jobs(5))), JobState.COMPLETED);
  }

  @Test
  default void slotsOfQueueAndType_areNeverExceeded(Rig rig) {
    Turnstile turnstile = new Turnstile();
    Sluice engine = rig.start(rig.engine()
        .slots(8)
        .slots("narrow", 2)
        .queue(QueueSettings.of("narrow"))
        .handler(Rig.type().handle((job, c) -> turnstile.pass(job.queue(), job.type())))
        .handler(JobType.of("single", Rig.Note.class)
            .slots(1)
            .handle((job, c) -> turnstile.pass(job.queue(), job.type()))));
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(Rig.job().queue("narrow"));
      jobs.add(Rig.job());
      jobs.add(Jobs.of("single", new Rig.Note("", i)).queue(i % 2 == 0 ? "narrow" : "default"));
    }
    rig.await(ids(engine.enqueueAll(jobs)), JobState.COMPLETED);
    assertThat(turnstile.most("narrow")).isLessThanOrEqualTo(2);
    assertThat(turnstile.most("single")).isEqualTo(1);
  }

  @Test
  default void promise7_limitOfTheType_isNotExceeded_whileOthersGoOn(Rig rig) {
    CountDownLatch gate = rig.gate();
    AtomicInteger running = new AtomicInteger();
    Sluice engine = rig.start(rig.engine()
        .slots(4)
        .handler(Rig.type().handle((job, context) -> {}))
        .handler(JobType.of("single", Rig.Note.class).slots(1).handle((job, context) -> {
          running.incrementAndGet();
          gate.await();
        })));
    for (int i = 0; i < 20; i++) {
      engine.enqueue(Jobs.of("single", new Rig.Note("", i)));
    }
    Eventually.await("one runs", () -> running.get() == 1);
    rig.await(ids(engine.enqueueAll(Rig.jobs(50))), JobState.COMPLETED);
    assertThat(running).hasValue(1);
    assertThat(engine.stats().in(JobState.RUNNING)).isEqualTo(1);
  }

  @Test
  default void fullType_doesNotMakeTheRestWaitForThePoll(Rig rig) {
    CountDownLatch gate = rig.gate();
    CountDownLatch running = new CountDownLatch(1);
    Sluice engine = rig.start(rig.engine()
        .slots(2)
        .poll(Duration.ofMinutes(1))
        .queue(QueueSettings.of("other"))
        .handler(Rig.type().handle((job, context) -> {}))
        .handler(JobType.of("single", Rig.Note.class).slots(1).handle((job, context) -> {
          running.countDown();
          gate.await();
        })));
    engine.enqueue(Jobs.of("single", new Rig.Note("", 0)));
    engine.enqueue(Jobs.of("single", new Rig.Note("", 1)));
    Rig.await(running);
    // Ten jobs through one slot: at the pace of the poll they would take ten minutes.
    List<UUID> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(engine.enqueue(Rig.job().queue("other")).id());
    }
    rig.await(jobs, JobState.COMPLETED);
  }
}
