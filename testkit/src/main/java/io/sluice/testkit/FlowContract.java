package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.Outcome;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.Sluice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits and order, as the engines of several instances keep them. */
public interface FlowContract extends EngineTopic {
  private static List<UUID> enqueue(Sluice engine, List<JobRequest> jobs) {
    return engine.enqueueAll(jobs).stream().map(e -> e.id()).toList();
  }

  @Test
  default void rate_isKeptByTwoEngines_andCostsNoAttempt(Rig rig) {
    rig.store().limits().save(new Limit(Scope.tenant("default"), new RateLimit(200, 5), null));
    ConcurrentLinkedQueue<Long> starts = new ConcurrentLinkedQueue<>();
    Sluice engine = rig.start(rig.engine()
        .slots(20)
        .handler(Rig.type().handle((job, c) -> starts.add(System.nanoTime()))));
    rig.start(rig.engine(rig.another())
        .slots(20)
        .handler(Rig.type().handle((job, c) -> starts.add(System.nanoTime()))));
    List<UUID> ids = enqueue(engine, Rig.jobs(105));
    rig.await(ids, JobState.COMPLETED);
    List<Long> sorted = starts.stream().sorted().toList();
    // A hundred beyond the burst need half a second; that they need more is no fault of the limit.
    assertThat(Duration.ofNanos(sorted.getLast() - sorted.getFirst()))
        .isGreaterThan(Duration.ofMillis(350));
    assertThat(ids).allMatch(id -> rig.find(id).attempt() == 1);
  }

  @Test
  default void costlyJob_hasItsTurn_amidCheapOnesOfAnotherLane(Rig rig) {
    rig.store().limits().save(new Limit(Scope.tenant("default"), new RateLimit(40, 60), null));
    AtomicInteger cheap = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      rig.start(rig.engine(i == 0 ? rig.store() : rig.another())
          .handler("cheap", Object.class, (job, c) -> cheap.incrementAndGet())
          .handler("costly", Object.class, (job, c) -> {}));
    }
    Sluice engine = rig.start(rig.engine());
    enqueue(engine, IntStream.range(0, 700).mapToObj(i -> Jobs.of("cheap")).toList());
    Eventually.await("the burst is used", () -> cheap.get() > 60);
    UUID costly = engine.enqueue(Jobs.of("costly").cost(60)).id();
    rig.await(costly, JobState.COMPLETED);
    assertThat(cheap).as("cheap jobs that went before").hasValueLessThan(700);
  }

  @Test
  default void rateLimitedQueue_leavesTheSlotsToOthers(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("slow").withRateLimit(new RateLimit(1, RateLimit.Per.HOUR, 1)))
        .handler(Rig.type().handle((job, c) -> {})));
    List<UUID> slow =
        enqueue(engine, Rig.jobs(5).stream().map(job -> job.queue("slow")).toList());
    rig.await(enqueue(engine, Rig.jobs(50)), JobState.COMPLETED);
    rig.await(slow.getFirst(), JobState.COMPLETED);
    assertThat(slow.subList(1, 5)).allMatch(id -> rig.find(id).state() == JobState.PENDING);
  }

  @Test
  default void concurrencyOfAKey_isKeptByTwoEngines_forEachKey(Rig rig) {
    rig.store().limits().save(new Limit(Scope.key("default", "customer-*"), null, 2));
    SlotsContract.Turnstile turnstile = new SlotsContract.Turnstile();
    Sluice engine = rig.start(rig.engine()
        .slots(10)
        .handler(Rig.type().handle((job, c) -> turnstile.pass(job.lane().limitKey()))));
    rig.start(rig.engine(rig.another())
        .slots(10)
        .handler(Rig.type().handle((job, c) -> turnstile.pass(job.lane().limitKey()))));
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      jobs.add(Rig.job().limitKey("customer-" + i % 3));
    }
    rig.await(enqueue(engine, jobs), JobState.COMPLETED);
    for (int key = 0; key < 3; key++) {
      assertThat(turnstile.most("customer-" + key)).isBetween(1, 2);
    }
  }

  @Test
  default void freedPlace_isTaken_withoutWaitingForThePoll(Rig rig) {
    rig.store().limits().save(new Limit(Scope.type("default", Rig.type().name()), null, 1));
    AtomicInteger ran = new AtomicInteger();
    Sluice engine = rig.start(rig.engine()
        .poll(Duration.ofMinutes(1))
        .handler(Rig.type().handle((job, c) -> ran.incrementAndGet())));
    rig.await(enqueue(engine, Rig.jobs(30)), JobState.COMPLETED);
    assertThat(ran).hasValue(30);
  }

  @Test
  default void orderedQueue_runsOneAfterTheOther_overTypesPrioritiesAndEngines(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    SlotsContract.Turnstile turnstile = new SlotsContract.Turnstile();
    QueueSettings queue = QueueSettings.of("strict").withOrdered(Ordering.QUEUE);
    List<Sluice> engines = new ArrayList<>();
    for (var store : List.of(rig.store(), rig.another())) {
      engines.add(rig.start(rig.engine(store)
          .slots(1)
          .poll(Duration.ofSeconds(15))
          .queue(queue)
          .handler(Rig.type().handle((job, c) -> {
            order.add(job.payload().text());
            turnstile.pass("all");
          }))
          .handler("other", Rig.Note.class, (job, c) -> {
            order.add(job.payload().text());
            turnstile.pass("all");
          })));
    }
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      JobRequest job = i % 2 == 0
          ? Rig.job(String.valueOf(i))
          : Jobs.of("other", new Rig.Note(String.valueOf(i), 0));
      jobs.add(job.queue("strict").priority(new Priority(i % 5)));
    }
    rig.await(enqueue(engines.getFirst(), jobs), JobState.COMPLETED);
    assertThat(order)
        .containsExactlyElementsOf(
            IntStream.range(0, 40).mapToObj(String::valueOf).toList());
    assertThat(turnstile.most("all")).isEqualTo(1);
  }

  @Test
  default void orderedKey_waitsForTheRetryOfItsJob_andOtherKeysDoNot(Rig rig) {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch other = new CountDownLatch(1);
    Sluice engine = rig.start(rig.engine()
        .slots(4)
        .queue(QueueSettings.of("strict").withOrdered(Ordering.KEY))
        .handler(Rig.type().answer((job, c) -> {
          order.add(job.payload().text());
          if (job.payload().text().equals("other")) {
            other.countDown();
          }
          return job.payload().text().equals("fails") && job.attempt() == 1
              ? Outcome.retryIn(Duration.ofMillis(200), "again")
              : Outcome.done();
        })));
    List<UUID> ids = enqueue(
        engine,
        List.of(
            Rig.job("fails").queue("strict").limitKey("a"),
            Rig.job("waits").queue("strict").limitKey("a"),
            Rig.job("other").queue("strict").limitKey("b")));
    Rig.await(other);
    rig.await(ids, JobState.COMPLETED);
    assertThat(order.stream().filter(text -> !text.equals("other")))
        .containsExactly("fails", "fails", "waits");
  }
}
