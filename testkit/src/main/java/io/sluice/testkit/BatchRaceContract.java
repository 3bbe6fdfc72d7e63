package io.sluice.testkit;

import static io.sluice.testkit.BatchLinksContract.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.JobState;
import io.sluice.store.CancelledJob;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import io.sluice.testkit.Race.Answers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two calls that each move several jobs, members of a batch and others mixed: every job is moved by one of
 * them, the batch counts it once, and its callback runs by those counts.
 */
public interface BatchRaceContract extends StoreTopic {
  int MEMBERS = 4;

  /** A batch, and claims of some of its members and of as many other jobs. */
  record Mixed(UUID batch, UUID callback, List<UUID> members, List<ClaimRef> claims) {}

  @Test
  default void severalCompleted_orCancelled_areCountedOnce(Bench bench) {
    Race.rounds(round -> {
      Mixed mixed = claimed(bench, round, Draft.job());
      Answers<Set<ClaimRef>, List<CancelledJob>> answers = Race.run(
          round,
          () -> finish(bench.store(), mixed.claims(), Verdicts.completed()),
          () ->
              bench.other().cancelAll(mixed.claims().stream().map(ClaimRef::job).toList(), "race"));
      assertThat(answers.first().size() + answers.second().size()).isEqualTo(2 * MEMBERS);
      assertCounted(bench, round, mixed);
    });
  }

  @Test
  default void severalCompleted_byTwoCallsThatOverlap_areCountedOnce(Bench bench) {
    Race.rounds(round -> {
      Mixed mixed = claimed(bench, round, Draft.job());
      List<ClaimRef> most = mixed.claims().subList(1, 2 * MEMBERS);
      Answers<Set<ClaimRef>, Set<ClaimRef>> answers = Race.run(
          round,
          () -> finish(bench.store(), mixed.claims(), Verdicts.completed()),
          () -> finish(bench.other(), most.reversed(), Verdicts.into(JobState.DEAD)));
      assertThat(Stream.concat(answers.first().stream(), answers.second().stream()))
          .containsExactlyInAnyOrderElementsOf(mixed.claims());
      assertCounted(bench, round, mixed);
    });
  }

  @Test
  default void severalRetried_orExpired_areCountedOnce(Bench bench) {
    Race.rounds(round -> {
      Mixed mixed = claimed(bench, round, Draft.job().expiresAt(bench.now().plusSeconds(1)));
      bench.advance(Duration.ofSeconds(2));
      Race.run(
          round,
          () -> finish(bench.store(), mixed.claims(), Verdicts.retryIn(Duration.ofSeconds(1))),
          () -> bench.other().expire(100));
      // A job that still ran when it was looked at is looked at again after a while.
      bench.advance(Duration.ofSeconds(10));
      bench.store().expire(100);
      assertCounted(bench, round, mixed);
    });
  }

  /** Claims members and strangers in turn, each with a job after it that runs only if it fails. */
  private static Mixed claimed(Bench bench, int round, Draft draft) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    List<NewJob> members = bench.made(MEMBERS, draft);
    List<NewJob> others = bench.made(MEMBERS, draft);
    List<NewJob> cleanUps = cleanUps(bench, members);
    boolean together = round % 2 == 0;
    List<NewJob> all = new ArrayList<>(members);
    all.addAll(together ? cleanUps : List.of());
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.IF_FAILED), all);
    bench.store().insert(together ? List.of() : cleanUps);
    bench.store().insert(others);
    bench.store().insert(cleanUps(bench, others));
    List<ClaimRef> claims = new ArrayList<>();
    members.forEach(member -> claims.add(bench.claim(member.id()).ref()));
    for (int i = 0; i < MEMBERS; i++) {
      claims.add(2 * i, bench.claim(others.get(i).id()).ref());
    }
    return new Mixed(batch, callback, all.stream().map(NewJob::id).toList(), claims);
  }

  private static List<NewJob> cleanUps(Bench bench, List<NewJob> jobs) {
    return jobs.stream()
        .map(job -> bench.made(Draft.job().after(job.id()).policy(AfterPolicy.IF_FAILED)))
        .toList();
  }

  private static Set<ClaimRef> finish(JobStore store, List<ClaimRef> refs, Verdict verdict) {
    return store.finish(refs.stream().map(ref -> new Finish(ref, verdict)).toList());
  }

  /** Once what followed has run, the batch counts its members as what they are, and its callback fits. */
  private static void assertCounted(Bench bench, int round, Mixed mixed) {
    List<ClaimedJob> next;
    do {
      // Two who end the last members at once may leave the end of their batch to the next look.
      bench.links().settle(100);
      next = bench.claim(100);
      finish(bench.store(), next.stream().map(ClaimedJob::ref).toList(), Verdicts.completed());
    } while (!next.isEmpty());
    List<JobState> states = mixed.members().stream().map(bench::state).toList();
    int completed = Collections.frequency(states, JobState.COMPLETED);
    int failed = Collections.frequency(states, JobState.DEAD);
    int cancelled = Collections.frequency(states, JobState.CANCELLED);
    assertCounts(bench, mixed.batch(), states.size(), completed, failed, cancelled);
    assertThat(bench.batch(mixed.batch()).isOver()).isTrue();
    assertThat(bench.state(mixed.callback()))
        .isEqualTo(completed < states.size() ? JobState.COMPLETED : JobState.CANCELLED);
    Race.assertSound(bench, round);
  }
}
