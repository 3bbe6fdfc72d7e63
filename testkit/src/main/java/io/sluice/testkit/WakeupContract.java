package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.store.ClaimRef;
import io.sluice.store.Wakeups;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The hints of a store that is well; nothing may depend on them. */
public interface WakeupContract extends StoreTopic {
  @Test
  default void wakeup_tellsOfReadyWork(Bench bench) {
    try (Ear ear = Ear.on(bench, bench.store().wakeups())) {
      bench.add();
      ear.hears("work");
    }
  }

  @Test
  default void wakeup_tellsOfReadyWork_onAnotherInstance(Bench bench) {
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.add();
      ear.hears("work");
    }
  }

  @Test
  default void wakeup_tellsOfReadyWork_eachTime(Bench bench) {
    try (Ear ear = Ear.on(bench, bench.store().wakeups())) {
      for (int i = 0; i < 3; i++) {
        bench.add();
        ear.hears("work");
        ear.forget();
      }
    }
  }

  @Test
  default void wakeup_namesTheLanesOfReadyWork(Bench bench) {
    try (Ear ear = Ear.on(bench, bench.store().wakeups())) {
      bench.add(Draft.job().limitKey("one"));
      ear.hears("ready one");
      bench.add(Draft.job().limitKey("later").in(Duration.ofMinutes(1)));
      bench.advance(Duration.ofMinutes(1));
      assertThat(bench.store().promote(10).moved()).isEqualTo(1);
      ear.hears("ready later");
    }
  }

  @Test
  default void wakeup_namesTheLanesOfReadyWork_onAnotherInstance(Bench bench) {
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.add(Draft.job().limitKey("one"));
      ear.hears("ready one");
    }
  }

  @Test
  default void wakeup_tellsOfLaterWork(Bench bench) {
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.add(Draft.job().in(Duration.ofMinutes(1)));
      ear.hears("later");
    }
  }

  @Test
  default void wakeup_tellsOfLaterWork_whenAJobIsRetried(Bench bench) {
    ClaimRef ref = bench.running().ref();
    try (Ear ear = Ear.on(bench, bench.store().wakeups())) {
      bench.finish(ref, Verdicts.retryIn(Duration.ofSeconds(5)));
      ear.hears("later");
    }
  }

  @Test
  default void wakeup_tellsOfWork_whenAJobIsPromoted(Bench bench) {
    bench.add(Draft.job().in(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.store().promote(10);
      ear.hears("work");
    }
  }

  @Test
  default void wakeup_tellsOfWork_whenAJobNeedNotWaitForOthersAnyMore(Bench bench) {
    UUID first = bench.add();
    bench.add(Draft.job().type("behind").after(first));
    ClaimRef ref = bench.claim(first).ref();
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.finish(ref, Verdicts.completed());
      ear.hears("work");
    }
  }

  @Test
  default void wakeup_tellsOfWork_whenAJobIsReplayed(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD);
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.store().replay(job);
      ear.hears("work");
    }
  }

  @Test
  default void wakeup_tellsOfACancelledRun(Bench bench) {
    ClaimRef ref = bench.running().ref();
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.store().cancel(ref.job(), "no", Verdicts.KEEP);
      ear.hears("cancelled " + ref.job());
    }
  }

  @Test
  default void wakeup_tellsOfChangedQueues(Bench bench) {
    try (Ear ear = Ear.elsewhere(bench)) {
      bench.store().queues().save(QueueSettings.of("mail"));
      ear.hears("queues");
      ear.forget();
      bench.store().queues().pause("default", "mail", true);
      ear.hears("queues");
    }
  }

  @Test
  default void wakeup_tellsEveryListener(Bench bench) {
    try (Ear first = Ear.on(bench, bench.store().wakeups());
        Ear second = Ear.on(bench, bench.store().wakeups())) {
      bench.add();
      first.hears("work");
      second.hears("work");
    }
  }

  @Test
  default void closedSubscription_isSilent(Bench bench) {
    Ear closed = Ear.on(bench, bench.store().wakeups());
    closed.close();
    closed.forget();
    try (Ear open = Ear.on(bench, bench.store().wakeups())) {
      bench.add();
      open.hears("work");
    }
    assertThat(closed.heard).isEmpty();
  }

  @Test
  default void closedSubscription_canBeClosedAgain(Bench bench) {
    Ear ear = Ear.on(bench, bench.store().wakeups());
    ear.close();
    ear.close();
    assertThat(bench.add()).isNotNull();
  }

  @Test
  default void listenerThatThrows_harmsNobody(Bench bench) {
    assumeTrue(bench.lab().hearsWakeups(), "the store is set up without wake-ups");
    try (Wakeups.Subscription bad = bench.store().wakeups().listen(new Thrower());
        Ear good = Ear.on(bench, bench.store().wakeups())) {
      for (int i = 0; i < 3; i++) {
        assertThat(bench.add()).isNotNull();
        good.hears("work");
        good.forget();
      }
      bench.store().cancel(bench.claimOne().ref().job(), "no", Verdicts.KEEP);
      good.hears("cancelled");
    }
  }

  /** A listener that writes down what it hears. */
  final class Ear implements Wakeups.Listener, AutoCloseable {
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private final Wakeups.Subscription subscription;

    private Ear(Wakeups wakeups) {
      subscription = wakeups.listen(this);
    }

    /** Listens at another instance, once that hears: it may take a moment to connect. */
    static Ear elsewhere(Bench bench) {
      Ear ear = on(bench, bench.other().wakeups());
      bench.add();
      ear.hears("work");
      ear.forget();
      return ear;
    }

    static Ear on(Bench bench, Wakeups wakeups) {
      assumeTrue(bench.lab().hearsWakeups(), "the store is set up without wake-ups");
      return new Ear(wakeups);
    }

    void hears(String what) {
      Eventually.await(
          "hears " + what, () -> heard.stream().anyMatch(word -> word.startsWith(what)));
    }

    void forget() {
      heard.clear();
    }

    @Override
    public boolean wantsLanes() {
      return true;
    }

    @Override
    public void ready(Map<Integer, Lane> lanes) {
      lanes.values().forEach(lane -> heard.add("ready " + lane.limitKey()));
    }

    @Override
    public void work() {
      heard.add("work");
    }

    @Override
    public void later() {
      heard.add("later");
    }

    @Override
    public void cancelled(UUID job) {
      heard.add("cancelled " + job);
    }

    @Override
    public void queues() {
      heard.add("queues");
    }

    @Override
    public void breakers() {
      heard.add("breakers");
    }

    @Override
    public void close() {
      subscription.close();
    }
  }

  /** A listener with a fault. */
  final class Thrower implements Wakeups.Listener {
    @Override
    public void work() {
      throw new IllegalStateException("work");
    }

    @Override
    public void later() {
      throw new IllegalStateException("later");
    }

    @Override
    public void cancelled(UUID job) {
      throw new IllegalStateException("cancelled");
    }

    @Override
    public void queues() {
      throw new IllegalStateException("queues");
    }
  }
}
