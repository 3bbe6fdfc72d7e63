package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.RetryStrategy;
import io.sluice.SluiceException;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneQuota;
import io.sluice.store.Queues;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How queues are made, changed, paused and removed. Their caps are in {@link CapacityContract}. */
public interface QueueContract extends StoreTopic {
  @Test
  default void queue_keepsEverySetting(Bench bench) {
    QueueSettings settings = new QueueSettings(
        "acme",
        "mail",
        true,
        7,
        500L,
        Duration.ofSeconds(9),
        Defaults.RETRY
            .withMaxAttempts(3)
            .on(ErrorClass.TIMEOUT, policy -> policy.withStrategy(RetryStrategy.LINEAR)),
        false,
        new Retention(Duration.ofHours(2), Duration.ofDays(90)));
    bench.store().queues().save(settings);
    assertThat(bench.other().queues().find("acme", "mail")).contains(settings);
  }

  @Test
  default void queue_keepsWhatIsNotSet(Bench bench) {
    bench.makeQueue("plain");
    assertThat(bench.store().queues().find("default", "plain")).contains(QueueSettings.of("plain"));
  }

  @Test
  default void queue_isChanged_byASecondSave(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail").withWeight(3).withMaxSize(5L));
    QueueSettings changed = QueueSettings.of("mail").withWeight(9).withDeadLetter(false);
    bench.store().queues().save(changed);
    assertThat(bench.store().queues().find("default", "mail")).contains(changed);
    assertThat(bench.store().queues().list())
        .filteredOn(q -> q.name().equals("mail"))
        .hasSize(1);
  }

  @Test
  default void queue_isItsOwn_inEachTenant(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail").withWeight(3));
    bench.store().queues().save(QueueSettings.of("globex", "mail").withWeight(4));
    assertThat(bench.store().queues().find("acme", "mail").orElseThrow().weight())
        .isEqualTo(3);
    assertThatThrownBy(() -> bench.add(Draft.job().tenant("initech").queue("mail")))
        .isInstanceOf(SluiceException.class);
  }

  @Test
  default void queue_thatWasNotMade_isNotFound(Bench bench) {
    assertThat(bench.store().queues().find("default", "mail")).isEmpty();
    assertThatThrownBy(() -> bench.add(Draft.job().queue("mail")))
        .isInstanceOfSatisfying(SluiceException.class, e -> {
          assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
          assertThat(e).hasMessageContaining("mail");
        });
  }

  @Test
  default void queue_takesJobs_onceItIsMade(Bench bench) {
    bench.makeQueue("mail");
    UUID job = bench.add(Draft.job().queue("mail"));
    assertThat(bench.find(job).queue()).isEqualTo("mail");
  }

  @Test
  default void queue_isSeenByAnotherInstance_atOnce(Bench bench) {
    bench.makeQueue("mail");
    assertThat(bench.other().insert(List.of(bench.made(Draft.job().queue("mail")))))
        .hasSize(1);
  }

  @Test
  default void defaultQueue_comesIntoBeing_whenAskedFor(Bench bench) {
    assertThat(bench.store().queues().find("acme", "default"))
        .contains(QueueSettings.of("acme", "default"));
  }

  @Test
  default void defaultQueue_takesJobs_ofAnyTenant(Bench bench) {
    bench.add(Draft.job().tenant("acme"));
    assertThat(bench.store().queues().list()).contains(QueueSettings.of("acme", "default"));
  }

  @Test
  default void defaultQueue_canBeChanged(Bench bench) {
    QueueSettings settings = QueueSettings.of("default").withWeight(5);
    bench.store().queues().save(settings);
    bench.add();
    assertThat(bench.store().queues().find("default", "default")).contains(settings);
  }

  @Test
  default void list_isSorted_byTenantAndName(Bench bench) {
    Queues queues = bench.store().queues();
    queues.save(QueueSettings.of("b", "y"));
    queues.save(QueueSettings.of("b", "x"));
    queues.save(QueueSettings.of("a", "z"));
    assertThat(queues.list())
        .filteredOn(q -> !q.name().equals(Defaults.QUEUE))
        .extracting(q -> q.tenant() + "/" + q.name())
        .containsExactly("a/z", "b/x", "b/y");
  }

  @Test
  default void pause_isShown_andUndone(Bench bench) {
    bench.makeQueue("mail");
    assertThat(bench.store().queues().pause("default", "mail", true)).isTrue();
    assertThat(bench.store().queues().find("default", "mail").orElseThrow().paused())
        .isTrue();
    assertThat(bench.store().queues().pause("default", "mail", false)).isTrue();
    assertThat(bench.store().queues().find("default", "mail")).contains(QueueSettings.of("mail"));
  }

  @Test
  default void pause_ofAnUnknownQueue_isRefused(Bench bench) {
    assertThat(bench.store().queues().pause("default", "nowhere", true)).isFalse();
  }

  @Test
  default void claim_skipsPausedQueue_evenWhenItsLaneIsNamed(Bench bench) {
    bench.makeQueue("mail");
    Draft draft = Draft.job().queue("mail");
    UUID job = bench.add(draft);
    int lane = bench.head(draft.lane(), 10).laneId();
    Claim claim = new Claim(bench.worker(), List.of(new LaneQuota(lane, 10, 5)), 5);
    bench.other().queues().pause("default", "mail", true);
    assertThat(bench.store().claim(claim)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    bench.other().queues().pause("default", "mail", false);
    assertThat(Bench.idsOf(bench.store().claim(claim))).containsExactly(job);
  }

  @Test
  default void claim_skipsAQueueSavedAsPaused(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail").withPaused(true));
    bench.add(3, Draft.job().queue("mail"));
    UUID other = bench.add();
    assertThat(Bench.idsOf(bench.claim(10))).containsExactly(other);
  }

  @Test
  default void pause_takesInNewJobs_andLetsRunningOnesEnd(Bench bench) {
    bench.makeQueue("mail");
    Draft draft = Draft.job().queue("mail");
    ClaimedJob claimed = bench.claim(bench.add(draft));
    bench.store().queues().pause("default", "mail", true);
    assertThat(bench.state(bench.add(draft))).isEqualTo(JobState.PENDING);
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void delete_removesAnEmptyQueue(Bench bench) {
    bench.makeQueue("mail");
    assertThat(bench.store().queues().delete("default", "mail")).isTrue();
    assertThat(bench.store().queues().find("default", "mail")).isEmpty();
    assertThatThrownBy(() -> bench.add(Draft.job().queue("mail")))
        .isInstanceOf(SluiceException.class);
    assertThat(bench.store().queues().delete("default", "mail")).isFalse();
  }

  @Test
  default void delete_isRefused_whileTheQueueHoldsUnfinishedJobs(Bench bench) {
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        String name = "q-" + state.name().toLowerCase(Locale.ROOT);
        bench.makeQueue(name);
        bench.addIn(state, Draft.job().queue(name));
        assertThat(bench.store().queues().delete("default", name))
            .as(state.name())
            .isFalse();
        assertThat(bench.store().queues().find("default", name)).isPresent();
      }
    }
  }

  @Test
  default void delete_removesAQueue_whoseJobsAreOver(Bench bench) {
    bench.makeQueue("mail");
    UUID job = bench.addIn(JobState.COMPLETED, Draft.job().queue("mail"));
    assertThat(bench.store().queues().delete("default", "mail")).isTrue();
    assertThat(bench.store().find(job))
        .as("a finished job is kept for its time")
        .isPresent();
  }
}
