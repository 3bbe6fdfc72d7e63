package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Outcome;
import io.sluice.RemoteJob;
import io.sluice.Sluice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Bounds of what an engine hands to handlers and to workers in other programs. */
public interface RemoteSizeContract extends EngineTopic {
  private static Map<String, String> large(int bytes) {
    String json = SizeContract.json(bytes);
    return Map.of("d", json.substring(9, json.length() - 2));
  }

  @Test
  default void resultsThatAreTooLarge_failTheJobForGood_hereAndElsewhere(Rig rig) {
    Map<String, String> answer = large(1_000_000);
    Sluice engine = rig.start(Rig.type().answer((job, context) -> {
      context.results();
      return Outcome.done(answer);
    }));
    int enough = (int) (Defaults.MAX_RESULTS_BYTES / 1_000_000) + 1;
    List<UUID> before =
        engine.enqueueAll(Rig.jobs(enough)).stream().map(Enqueued::id).toList();
    rig.await(before, JobState.COMPLETED);
    UUID here = engine.enqueue(after(Rig.job(), before)).id();
    rig.await(here, JobState.DEAD);
    UUID elsewhere = engine.enqueue(after(Jobs.of("pulled", 1), before)).id();
    Eventually.await("it is pulled", () -> {
      assertThat(Puller.pull(engine, 1)).isEmpty();
      return rig.find(elsewhere).state() == JobState.DEAD;
    });
    for (UUID job : List.of(here, elsewhere)) {
      JobRecord dead = rig.find(job);
      assertThat(dead.attempt()).isEqualTo(1);
      assertThat(dead.status().errors()).singleElement().satisfies(error -> {
        assertThat(error.code()).isEqualTo(ErrorCode.RESULTS_TOO_LARGE.name());
        assertThat(error.message()).contains(String.valueOf(Defaults.MAX_RESULTS_BYTES));
      });
    }
    assertThat(engine.explain(here)).isPresent();
  }

  private static JobRequest after(JobRequest job, List<UUID> before) {
    return job.after(before.toArray(UUID[]::new));
  }

  @Test
  default void claimOfManyLargeJobs_bringsWhatFits_andTheRestLater(Rig rig) {
    Sluice engine = Puller.desk(rig);
    List<UUID> jobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      jobs.add(engine.enqueue(Jobs.of("large", large(1_000_000))).id());
    }
    List<UUID> got = new ArrayList<>();
    Map<UUID, Integer> attempts = new HashMap<>();
    int claims = 0;
    while (got.size() < jobs.size() && claims < 12) {
      List<RemoteJob> some = Puller.pull(engine, 12);
      assertThat(bytes(some)).isLessThanOrEqualTo(Defaults.MAX_CLAIM_BYTES);
      some.forEach(job -> attempts.put(job.job().id(), job.job().attempt()));
      got.addAll(Puller.ids(some));
      claims++;
    }
    assertThat(got).isEqualTo(jobs);
    assertThat(claims).isEqualTo(2);
    assertThat(attempts.values()).containsOnly(1);
  }

  private static long bytes(List<RemoteJob> jobs) {
    return jobs.stream().mapToLong(job -> job.job().payload().length()).sum();
  }

  @Test
  default void resultsOfAClaim_countAsWell(Rig rig) {
    Map<String, String> answer = large(1_000_000);
    Sluice engine = rig.start(Rig.type().answer((job, context) -> Outcome.done(answer)));
    List<UUID> before =
        engine.enqueueAll(Rig.jobs(6)).stream().map(Enqueued::id).toList();
    rig.await(before, JobState.COMPLETED);
    List<UUID> jobs = List.of(
        engine.enqueue(after(Jobs.of("pulled", 1), before)).id(),
        engine.enqueue(after(Jobs.of("pulled", 2), before)).id());
    List<UUID> got = new ArrayList<>();
    Eventually.await("both are handed out, one at a time", () -> {
      List<RemoteJob> some = Puller.pull(engine, 2);
      assertThat(some).hasSizeLessThan(2).allMatch(job -> job.results().size() == 6);
      got.addAll(Puller.ids(some));
      return got.size() == 2;
    });
    assertThat(got).containsExactlyElementsOf(jobs);
    assertThat(rig.find(jobs.getLast()).attempt()).isEqualTo(1);
  }
}
