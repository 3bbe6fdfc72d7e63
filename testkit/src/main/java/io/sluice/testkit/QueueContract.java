package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Retention;
import io.sluice.RetryStrategy;
import io.sluice.SluiceException;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneQuota;
import io.sluice.store.QueueRecord;
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
        Priority.HIGH,
        12,
        500L,
        new RateLimit(2.5, 10),
        Ordering.KEY,
        Duration.ofSeconds(9),
        Defaults.RETRY
            .withMaxAttempts(3)
            .on(ErrorClass.TIMEOUT, policy -> policy.withStrategy(RetryStrategy.LINEAR)),
        false,
        new Retention(Duration.ofHours(2), Duration.ofDays(90)),
        "stripe",
        new Marks(0.1, 0.75));
    QueueRecord saved = bench.store().queues().save(settings);
    assertThat(saved.settings()).isEqualTo(settings);
    assertThat(bench.other().queues().find("acme", "mail")).contains(saved);
  }

  @Test
  default void queue_keepsWhatIsNotSet(Bench bench) {
    bench.makeQueue("plain");
    assertThat(settings(bench, "default", "plain")).isEqualTo(QueueSettings.of("plain"));
  }

  @Test
  default void queue_isChanged_byASecondSave(Bench bench) {
    bench
        .store()
        .queues()
        .save(QueueSettings.of("mail").withPriority(Priority.LOW).withMaxSize(5L));
    QueueSettings changed = QueueSettings.of("mail").withMaxConcurrent(9).withDeadLetter(false);
    bench.store().queues().save(changed);
    assertThat(settings(bench, "default", "mail")).isEqualTo(changed);
    assertThat(bench.store().queues().list())
        .filteredOn(q -> q.name().equals("mail"))
        .hasSize(1);
  }

  @Test
  default void queue_isItsOwn_inEachTenant(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxConcurrent(3));
    bench.store().queues().save(QueueSettings.of("globex", "mail").withMaxConcurrent(4));
    assertThat(settings(bench, "acme", "mail").maxConcurrent()).isEqualTo(3);
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
    assertThat(settings(bench, "acme", "default")).isEqualTo(QueueSettings.of("acme", "default"));
  }

  @Test
  default void defaultQueue_takesJobs_ofAnyTenant(Bench bench) {
    bench.add(Draft.job().tenant("acme"));
    assertThat(bench.store().queues().list())
        .extracting(QueueRecord::settings)
        .contains(QueueSettings.of("acme", "default"));
  }

  @Test
  default void defaultQueue_canBeChanged(Bench bench) {
    QueueSettings settings = QueueSettings.of("default").withPriority(Priority.HIGH);
    bench.store().queues().save(settings);
    bench.add();
    assertThat(settings(bench, "default", "default")).isEqualTo(settings);
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
  default void list_ofATenant_goesByName_pageByPage(Bench bench) {
    Queues queues = bench.store().queues();
    List.of("d", "b", "a", "c").forEach(name -> queues.save(QueueSettings.of("acme", name)));
    queues.save(QueueSettings.of("globex", "a"));
    assertThat(names(queues.list("acme", null, 3))).containsExactly("a", "b", "c");
    assertThat(names(queues.list("acme", "c", 3))).containsExactly("d");
    assertThat(names(queues.list("acme", "bb", 1))).containsExactly("c");
    assertThat(queues.list("acme", "d", 3)).isEmpty();
    assertThat(queues.list("initech", null, 3)).isEmpty();
  }

  private static List<String> names(List<QueueRecord> queues) {
    return queues.stream().map(QueueRecord::name).toList();
  }

  @Test
  default void queue_isFoundByItsId_inItsTenantAlone(Bench bench) {
    Queues queues = bench.store().queues();
    QueueRecord mail = queues.save(QueueSettings.of("acme", "mail"));
    QueueRecord other = queues.save(QueueSettings.of("acme", "other"));
    assertThat(other.id()).isNotEqualTo(mail.id());
    assertThat(bench.other().queues().find("acme", mail.id())).contains(mail);
    assertThat(queues.find("globex", mail.id())).isEmpty();
    assertThat(queues.find("acme", new UUID(1, 2))).isEmpty();
    assertThat(queues.find("acme", "default").orElseThrow().id())
        .isEqualTo(queues.find("acme", "default").orElseThrow().id());
  }

  @Test
  default void queue_keepsItsIdAndItsAge_whenItIsChanged(Bench bench) {
    Queues queues = bench.store().queues();
    QueueRecord made = queues.save(QueueSettings.of("mail"));
    assertThat(made.createdAt()).isEqualTo(bench.now());
    assertThat(made.updatedAt()).isEqualTo(bench.now());
    bench.advance(Duration.ofMinutes(1));
    QueueRecord changed = queues.save(QueueSettings.of("mail").withMaxConcurrent(3));
    assertThat(changed.id()).isEqualTo(made.id());
    assertThat(changed.createdAt()).isEqualTo(made.createdAt());
    assertThat(changed.updatedAt()).isEqualTo(bench.now());
    bench.advance(Duration.ofMinutes(1));
    queues.pause("default", "mail", true);
    assertThat(queues.find("default", "mail").orElseThrow().updatedAt()).isEqualTo(bench.now());
  }

  @Test
  default void queue_thatIsRemovedAndMadeAgain_isAnother(Bench bench) {
    Queues queues = bench.store().queues();
    QueueRecord first = queues.save(QueueSettings.of("mail").withMaxConcurrent(2));
    queues.delete("default", "mail");
    assertThat(queues.find("default", first.id())).isEmpty();
    bench.advance(Duration.ofMinutes(1));
    QueueRecord second = queues.save(QueueSettings.of("mail"));
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.createdAt()).isEqualTo(bench.now());
    assertThat(queues.find("default", first.id())).isEmpty();
  }

  @Test
  default void pause_isShown_andUndone(Bench bench) {
    bench.makeQueue("mail");
    assertThat(bench.store().queues().pause("default", "mail", true)).isTrue();
    assertThat(settings(bench, "default", "mail").paused()).isTrue();
    assertThat(bench.store().queues().pause("default", "mail", false)).isTrue();
    assertThat(settings(bench, "default", "mail")).isEqualTo(QueueSettings.of("mail"));
  }

  private static QueueSettings settings(Bench bench, String tenant, String name) {
    return bench.store().queues().find(tenant, name).orElseThrow().settings();
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
    assertThat(bench.store().claim(claim).jobs()).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    bench.other().queues().pause("default", "mail", false);
    assertThat(Bench.idsOf(bench.store().claim(claim).jobs())).containsExactly(job);
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
