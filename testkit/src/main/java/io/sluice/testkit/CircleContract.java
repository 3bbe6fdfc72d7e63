package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AfterPolicy;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** That no job is taken into a batch which waits for that batch: neither would ever end. */
public interface CircleContract extends StoreTopic {
  private static UUID open(Bench bench) {
    return bench.start(BatchDraft.of(bench.id()).open()).id();
  }

  private static List<NewJob> after(Bench bench, UUID batch, UUID... after) {
    return List.of(
        bench.made(Draft.job().batch(batch)),
        bench.made(Draft.job().batch(batch).after(after).policy(AfterPolicy.RUN)));
  }

  private static void assertRefused(ThrowingCallable call, String way) {
    SluiceException refused = catchThrowableOfType(SluiceException.class, call);
    assertThat(refused).as("a refusal").isNotNull();
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
    assertThat(refused)
        .hasMessageContaining("jobs[1].after must not name " + way
            + ", which this job is in: neither would ever end");
  }

  @Test
  default void aJobAfterTheCallbackOfItsBatch_isRefused(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(batch).open().callback(callback, AfterPolicy.RUN));
    assertRefused(
        () -> bench.links().add(batch, null, after(bench, batch, callback)),
        "job " + callback + ", which waits for batch " + batch);
    assertThat(bench.batch(batch).counts().total()).isZero();
    assertThat(bench.listed(JobFilter.all())).containsExactly(callback);
  }

  @Test
  default void aJobAfterItsBatch_orOneThatThisIsIn_isRefused(Bench bench) {
    UUID outer = open(bench);
    UUID inner = bench.start(BatchDraft.of(bench.id()).open().in(outer, null)).id();
    for (UUID batch : List.of(outer, inner)) {
      assertRefused(
          () -> bench.links().add(inner, null, after(bench, inner, batch)), "batch " + batch);
    }
    assertThat(bench.links().add(outer, null, after(bench, outer, inner))).hasSize(2);
  }

  @Test
  default void aJobAfterOne_thatWaitsForItsBatchByOtherJobsAndBatches_isRefused(Bench bench) {
    UUID batch = open(bench);
    UUID other = open(bench);
    UUID last = bench.add(Draft.job().after(batch));
    UUID member = bench
        .links()
        .add(other, null, List.of(bench.made(Draft.job().batch(other).after(last))))
        .getFirst()
        .id();
    String way = "batch " + other + ", which has job " + member + ", which waits for job " + last
        + ", which waits for batch " + batch;
    assertRefused(() -> bench.links().add(batch, null, after(bench, batch, other)), way);
    UUID beside = bench.add(Draft.job().after(other));
    assertRefused(
        () -> bench.links().add(batch, null, after(bench, batch, beside)),
        "job " + beside + ", which waits for " + way);
  }

  @Test
  default void aRunningJob_mayNotAddOneThatWaitsForItsBatchEither(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), Draft.job());
    ClaimedJob member = bench.claimOne();
    assertRefused(
        () -> bench.links().add(batch, member.ref(), after(bench, batch, callback)),
        "job " + callback + ", which waits for batch " + batch);
    bench.complete(member);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void jobsOfABatchInABatch_mayNotWaitForTheOuterOne(Bench bench) {
    UUID outer = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(outer).open().callback(callback, AfterPolicy.RUN));
    UUID inner = bench.id();
    assertRefused(
        () -> bench
            .links()
            .start(BatchDraft.of(inner).in(outer, null).as(), after(bench, inner, callback)),
        "job " + callback + ", which waits for batch " + outer);
    assertThat(bench.links().find(inner)).isEmpty();
    assertThat(bench.batch(outer).counts().total()).isZero();
  }

  @Test
  default void aWayOfManyStops_isShortened(Bench bench) {
    UUID batch = open(bench);
    UUID first = bench.add(Draft.job().after(batch));
    UUID last = first;
    for (int i = 0; i < 20; i++) {
      last = bench.add(Draft.job().after(last));
    }
    UUID named = last;
    SluiceException refused = catchThrowableOfType(
        SluiceException.class, () -> bench.links().add(batch, null, after(bench, batch, named)));
    assertThat(refused)
        .hasMessageContaining("must not name job " + named + ", which waits for job ")
        .hasMessageContaining(", and so on over 16 more, which waits for job ")
        .hasMessageContaining("job " + first + ", which waits for batch " + batch);
  }

  @Test
  default void whatWaitedForTheBatch_andIsOver_mayBeNamed(Bench bench) {
    UUID batch = open(bench);
    UUID waited = bench.add(Draft.job().type("b").after(batch));
    bench.store().cancel(waited, "no", Verdicts.KEEP);
    UUID job =
        bench.links().add(batch, null, after(bench, batch, waited)).getLast().id();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void jobsBesideTheBatch_andOthersOfIt_mayBeNamed(Bench bench) {
    UUID batch = open(bench);
    UUID other = open(bench);
    UUID beside = bench.add();
    bench.add(Draft.job().after(batch, beside));
    UUID member = bench
        .links()
        .add(batch, null, after(bench, batch, beside, other))
        .getLast()
        .id();
    assertThat(bench.links().add(batch, null, after(bench, batch, member))).hasSize(2);
    assertThat(bench.links().add(other, null, after(bench, other, beside))).hasSize(2);
  }
}
