package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How jobs come into a store. */
public interface InsertContract extends StoreTopic {
  @Test
  default void insert_answersInOrder_withTheGivenIds(Bench bench) {
    List<NewJob> jobs = bench.made(5, Draft.job());
    assertThat(bench.store().insert(jobs))
        .containsExactlyElementsOf(jobs.stream()
            .map(job -> new Enqueued(job.id(), JobState.PENDING, false))
            .toList());
  }

  @Test
  default void insert_ofNothing_answersNothing(Bench bench) {
    assertThat(bench.store().insert(List.of())).isEmpty();
  }

  @Test
  default void insert_isPending_whenDueAtOnce(Bench bench) {
    UUID job = bench.add();
    JobRecord record = bench.find(job);
    assertThat(record.state()).isEqualTo(JobState.PENDING);
    assertThat(record.attempt()).isZero();
    assertThat(record.createdAt()).isEqualTo(bench.now());
  }

  @Test
  default void insert_isPending_whenItsMomentHasPassed(Bench bench) {
    When past = When.at(bench.now().minusSeconds(1));
    assertThat(bench.insert(Draft.job().when(past)).getFirst().state()).isEqualTo(JobState.PENDING);
  }

  @Test
  default void insert_isPending_whenItsMomentIsNow(Bench bench) {
    Enqueued answer = bench.insert(Draft.job().when(When.at(bench.now()))).getFirst();
    assertThat(answer.state()).isEqualTo(JobState.PENDING);
  }

  @Test
  default void insert_isScheduled_whenDelayed(Bench bench) {
    Enqueued answer = bench.insert(Draft.job().in(Duration.ofSeconds(90))).getFirst();
    assertThat(answer.state()).isEqualTo(JobState.SCHEDULED);
    JobRecord record = bench.find(answer.id());
    assertThat(record.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(record.status().runAt()).isEqualTo(bench.now().plusSeconds(90));
  }

  @Test
  default void insert_isScheduled_whenItsMomentIsAhead(Bench bench) {
    Draft draft = Draft.job().when(When.at(bench.now().plusSeconds(5)));
    UUID job = bench.add(draft);
    assertThat(bench.find(job).status().runAt()).isEqualTo(bench.now().plusSeconds(5));
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  default void insert_takesDueAndDelayedJobs_inOneCall(Bench bench) {
    List<Enqueued> answers =
        bench.insert(Draft.job(), Draft.job().in(Duration.ofHours(1)), Draft.job());
    assertThat(answers)
        .extracting(Enqueued::state)
        .containsExactly(JobState.PENDING, JobState.SCHEDULED, JobState.PENDING);
  }

  @Test
  default void insert_takesManyLanesAndTenants_inOneCall(Bench bench) {
    bench.insert(
        Draft.job().tenant("acme"), Draft.job().tenant("globex"), Draft.job().type("other"));
    assertThat(bench.store().heads())
        .extracting(head -> head.lane())
        .containsExactlyInAnyOrder(
            Lane.of("acme", "default", Draft.TYPE),
            Lane.of("globex", "default", Draft.TYPE),
            Lane.of("default", "default", "other"));
  }

  @Test
  default void insert_storesNothing_whenOneQueueIsUnknown(Bench bench) {
    assertThatThrownBy(() -> bench.insert(Draft.job(), Draft.job().queue("nowhere"), Draft.job()))
        .isInstanceOfSatisfying(SluiceException.class, e -> {
          assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
          assertThat(e).hasMessageContaining("nowhere");
        });
    assertThat(bench.listed(JobFilter.all())).isEmpty();
    assertThat(bench.store().heads()).isEmpty();
  }

  @Test
  default void insert_keepsPayload_toTheLetter(Bench bench) {
    String payload =
        "{\"b\" : 1,  \"a\":[1.50, \"\\u00e9\", \"日本 🚰 'quoted' \\\\ back\"], \"b2\":null}";
    UUID job = bench.add(Draft.job().payload(payload));
    assertThat(bench.find(job).payload()).isEqualTo(payload);
    assertThat(bench.claimOne().spec().payload()).isEqualTo(payload);
  }

  @Test
  default void insert_keepsLargePayload(Bench bench) {
    String payload = "\"" + "x".repeat(300_000) + "\"";
    assertThat(bench.find(bench.add(Draft.job().payload(payload))).payload()).isEqualTo(payload);
  }

  @Test
  default void insert_isSeenByAnotherInstance_onceAnswered(Bench bench) {
    UUID job = bench.add();
    assertThat(bench.other().find(job)).isPresent();
    assertThat(bench.claim(bench.other(), bench.worker(), 1)).hasSize(1);
  }

  @Test
  default void insert_keepsEveryJob_ofConcurrentCallers(Bench bench) {
    List<List<UUID>> ids = Together.run(8, i -> () -> bench.add(25, Draft.job().type("t" + i % 3)));
    Set<UUID> all = new HashSet<>();
    ids.forEach(all::addAll);
    assertThat(all).hasSize(200);
    assertThat(Bench.idsOf(bench.claim(300))).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  default void insert_ofSameLane_givesOneHeadWithTheOldest(Bench bench) {
    List<UUID> jobs = bench.add(3);
    assertThat(bench.store().heads()).hasSize(1);
    assertThat(bench.store().heads().getFirst().first()).isEqualTo(jobs.getFirst());
    assertThat(bench.store().heads().getFirst().priority()).isEqualTo(10);
  }
}
