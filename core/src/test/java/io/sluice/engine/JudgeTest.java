package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AttemptFailure;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.Outcome;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.RetryPolicy;
import io.sluice.When;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the judge makes of outcomes. */
class JudgeTest {
  private static final RetryPolicy POLICY = Defaults.RETRY.withJitter(0).withMaxAttempts(3);
  private static final QueueSettings QUEUE =
      QueueSettings.of("q").withRetention(new Retention(Duration.ofHours(1), Duration.ofHours(2)));

  private final Judge judge = new Judge(Pieces.tools());

  private static Judge.Case at(int attempt) {
    return new Judge.Case(attempt, POLICY, false, QUEUE, new Strikes(1, 1), null, Pieces.NOW);
  }

  private Verdict.End end(Outcome outcome, Judge.Case of) {
    return (Verdict.End) judge.judge(outcome, of);
  }

  private Verdict.Again again(Outcome outcome, Judge.Case of) {
    return (Verdict.Again) judge.judge(outcome, of);
  }

  @Test
  void done_endsWithItsResult_keptAsLongAsTheQueueSays() {
    Verdict.End end = end(Outcome.done(Map.of("a", 1)), at(1));
    assertThat(end)
        .isEqualTo(
            new Verdict.End(JobState.COMPLETED, "{\"a\":1}", null, null, Duration.ofHours(1)));
  }

  @Test
  void resultThatIsTooLongOrUnfit_isLeftOut() {
    assertThat(end(Outcome.done("x".repeat(2 << 20)), at(1)).result()).isNull();
    assertThat(end(Outcome.done("\0"), at(1)).result()).isNull();
    assertThat(end(Outcome.done(new Object()), at(1)).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void failure_waitsAsThePolicySays_andIsNoLongerSuspect() {
    Verdict.Again again = again(Outcome.failed(new IOException("down")), at(2));
    assertThat(again.state()).isEqualTo(JobState.RETRYING);
    assertThat(again.when()).isEqualTo(When.in(Duration.ofSeconds(2)));
    assertThat(again.spent()).isTrue();
    assertThat(again.strikes()).isEqualTo(new Strikes(1, 0));
    assertThat(again.error().errorClass()).isEqualTo(ErrorClass.NETWORK);
    assertThat(again.error().message()).isEqualTo("java.io.IOException: down");
    assertThat(again.error().stack()).contains("JudgeTest");
  }

  @Test
  void knownFailure_keepsItsClassCodeAndAnswer_andWaitsAsItSays() {
    AttemptFailure busy = new AttemptFailure(ErrorClass.RATE_LIMITED, "HTTP_429", "busy")
        .withAnswer(429, "later\0")
        .withRetry(When.in(Duration.ofHours(1)));
    Verdict.Again again = again(Outcome.failed(busy), at(1));
    assertThat(again.when()).isEqualTo(When.in(Duration.ofHours(1)));
    assertThat(again.error())
        .isEqualTo(new JobError(
            Pieces.NOW, 1, ErrorClass.RATE_LIMITED, "HTTP_429", "busy", null, 429, "later?"));
    assertThat(end(Outcome.failed(busy), at(3)).reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
  }

  @Test
  void policyOfAKnownFailure_isInForce_whereTheJobHasNoneOfItsOwn() {
    AttemptFailure down = new AttemptFailure(ErrorClass.SERVER, "HTTP_500", "down")
        .withPolicy(POLICY.withMaxAttempts(1));
    assertThat(end(Outcome.failed(down), at(1)).state()).isEqualTo(JobState.DEAD);
    Judge.Case own = new Judge.Case(1, POLICY, true, QUEUE, Strikes.NONE, null, Pieces.NOW);
    assertThat(again(Outcome.failed(down), own).state()).isEqualTo(JobState.RETRYING);
  }

  @Test
  void lastFailure_isDead_orFailedWhereDeadLettersAreOff() {
    Verdict.End dead = end(Outcome.failed(new IOException()), at(3));
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(dead.keepFor()).isEqualTo(Duration.ofHours(2));
    Judge.Case plain = new Judge.Case(
        3, POLICY, false, QUEUE.withDeadLetter(false), Strikes.NONE, null, Pieces.NOW);
    assertThat(end(Outcome.failed(new IOException()), plain).state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void probeThatFailsAsOthersWould_spendsNoAttempt_andIsNeverTheLast() {
    Verdict.Again spared = again(Outcome.failed(new IOException()), at(3).asProbe());
    assertThat(spared.state()).isEqualTo(JobState.RETRYING);
    assertThat(spared.spent()).isFalse();
    assertThat(spared.when()).isEqualTo(When.in(Defaults.RETRY.initialDelay()));
    assertThat(spared.error()).isNotNull();
    assertThat(again(Outcome.retryIn(Duration.ZERO, "busy"), at(3).asProbe()).spent())
        .isFalse();
  }

  @Test
  void probeThatIsWrongItself_orMayNotBeRetried_isDead() {
    Judge.Case probe = at(1).asProbe();
    assertThat(end(Outcome.failed(new SecurityException()), probe).reason()).isEqualTo("AUTH");
    AttemptFailure once = new AttemptFailure(ErrorClass.SERVER, "HTTP_500", "down")
        .withPolicy(POLICY.withMaxAttempts(1));
    assertThat(end(Outcome.failed(once), probe).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void classThatIsNotRetried_isDeadByItsName() {
    assertThat(end(Outcome.failed(new SecurityException()), at(1)).reason()).isEqualTo("AUTH");
  }

  @Test
  void nullOutcome_isAFailure() {
    assertThat(judge.judge(null, at(3))).isInstanceOf(Verdict.End.class);
  }

  @Test
  void retry_spendsAnAttempt_andSnooze_givesItBack() {
    Verdict.Again retry = again(Outcome.retryIn(Duration.ofMinutes(5), "busy"), at(1));
    assertThat(retry.spent()).isTrue();
    assertThat(retry.state()).isEqualTo(JobState.RETRYING);
    Verdict.Again snooze = again(Outcome.snoozeUntil(Pieces.NOW.plusSeconds(9)), at(3));
    assertThat(snooze.spent()).isFalse();
    assertThat(snooze.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(snooze.error()).isNull();
    assertThat(end(Outcome.retryIn(Duration.ZERO, "busy"), at(3)).reason())
        .isEqualTo("MAX_RETRIES_EXCEEDED");
  }

  @Test
  void momentsBeyondMeasure_areBroughtWithinIt() {
    assertThat(again(Outcome.snooze(Duration.ofSeconds(Long.MAX_VALUE)), at(1)).when())
        .isEqualTo(When.in(Intake.LONGEST));
    assertThat(again(Outcome.snooze(Duration.ofSeconds(Long.MIN_VALUE)), at(1)).when())
        .isEqualTo(When.in(Duration.ZERO));
    assertThat(again(Outcome.snoozeUntil(Instant.MAX), at(1)).when())
        .isEqualTo(When.at(Intake.LATEST));
    assertThat(again(Outcome.snoozeUntil(Instant.MIN), at(1)).when())
        .isEqualTo(When.at(Instant.EPOCH));
  }

  @Test
  void waitingPastTheExpiry_isACancel() {
    Judge.Case expiring = new Judge.Case(
        1, POLICY, false, QUEUE, Strikes.NONE, Pieces.NOW.plusSeconds(1), Pieces.NOW);
    Verdict.End end = end(Outcome.failed(new IOException()), expiring);
    assertThat(end.state()).isEqualTo(JobState.CANCELLED);
    assertThat(end.reason()).isEqualTo("expired");
    assertThat(end.error()).isNotNull();
    assertThat(judge.judge(Outcome.snooze(Duration.ofMillis(500)), expiring))
        .isInstanceOf(Verdict.Again.class);
  }

  @Test
  void text_isMadePlainAndShort() {
    assertThat(Judge.text("a\0b\ud800c\udc00")).isEqualTo("a?b?c?");
    assertThat(Judge.text("🌊")).isEqualTo("🌊");
    String cut = Judge.text("x".repeat(Defaults.MAX_ERROR_TEXT - 1) + "🌊");
    assertThat(cut).endsWith("x?…");
    assertThat(Judge.text("y".repeat(100_000))).hasSize(Defaults.MAX_ERROR_TEXT + 1);
  }
}
