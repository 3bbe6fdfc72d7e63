package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ErrorClass;
import io.sluice.Explanation;
import io.sluice.JobError;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Sluice;
import io.sluice.store.ClaimedJob;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;

/** How the contracts of explanations ask, and what they expect to be told. */
final class Told {
  /** The clock of a bench begins at 2030-01-15T12:00:00Z. */
  static final Instant START = ManualClock.START;

  static final String TURN =
      "Its turn comes when they have started; a job of a more urgent priority goes before them.";

  private Told() {}

  static Sluice sluice(Bench bench) {
    return Sluice.builder(bench.store()).withoutWork().keepStoreOpen().build();
  }

  static long register(Bench bench, WorkerSpec spec) {
    return bench.store().workers().register(spec, Duration.ofHours(1));
  }

  static void fail(Bench bench, ClaimedJob claimed, String message, ErrorClass kind) {
    JobError error = error(bench, claimed.attempt(), message, kind);
    bench.finish(claimed.ref(), Verdicts.retryIn(Duration.ofSeconds(30), error));
  }

  static JobError error(Bench bench, int attempt, String message, ErrorClass kind) {
    return new JobError(bench.now(), attempt, kind, "HANDLER_FAILED", message, null, null, null);
  }

  static Explanation explained(Bench bench, UUID job) {
    return sluice(bench).explain(job).orElseThrow();
  }

  static List<Reason> reasons(Bench bench, UUID job) {
    return explained(bench, job).reasons();
  }

  static List<ReasonCode> codes(Bench bench, UUID job) {
    return reasons(bench, job).stream().map(Reason::code).toList();
  }

  static Tuple reason(ReasonCode code, String sentence, @Nullable Instant until, String remedy) {
    return tuple(code, sentence, until, remedy);
  }

  static void assertReasons(Bench bench, UUID job, Tuple... reasons) {
    assertThat(reasons(bench, job))
        .extracting(Reason::code, Reason::sentence, Reason::until, Reason::remedy)
        .containsExactly(reasons);
  }

  static void assertExplained(Bench bench, UUID job, String headline, Tuple... reasons) {
    Explanation explanation = explained(bench, job);
    assertThat(explanation.id()).isEqualTo(job);
    assertThat(explanation.state()).isEqualTo(bench.state(job));
    assertThat(explanation.headline()).isEqualTo(headline);
    assertReasons(bench, job, reasons);
  }
}
