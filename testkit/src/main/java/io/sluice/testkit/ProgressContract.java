package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.LogLine;
import io.sluice.Progress;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a running job says of itself. */
public interface ProgressContract extends StoreTopic {
  @Test
  default void progress_isShown(Bench bench) {
    ClaimRef ref = bench.running().ref();
    assertThat(bench.find(ref.job()).status().progress()).isNull();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.store().progress(ref, 40, "packing")).isTrue();
    assertThat(bench.other().find(ref.job()).orElseThrow().status().progress())
        .isEqualTo(new Progress(40, "packing", bench.now()));
  }

  @Test
  default void progress_replacesTheLast(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.store().progress(ref, 40, "packing");
    bench.store().progress(ref, 20, "unpacking again");
    assertThat(bench.find(ref.job()).status().progress())
        .isEqualTo(new Progress(20, "unpacking again", bench.now()));
  }

  @Test
  default void progress_leavesTheClaimStanding(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.store().progress(claimed.ref(), 100, "done");
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.RUNNING);
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void progress_isRefused_onceTheClaimIsOver(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.complete(claimed);
    JobRecord before = bench.find(claimed.ref().job());
    assertThat(bench.store().progress(claimed.ref(), 10, "late")).isFalse();
    assertThat(bench.find(claimed.ref().job())).isEqualTo(before);
  }

  @Test
  default void progress_isRefused_forAnOldTurn(Bench bench) {
    UUID job = bench.add();
    ClaimRef old = bench.claim(job).ref();
    bench.finish(old, Verdicts.retryNow());
    ClaimRef current = bench.claim(job).ref();
    assertThat(bench.store().progress(old, 10, "late")).isFalse();
    assertThat(bench.store().progress(current, 20, "mine")).isTrue();
    assertThat(bench.find(job).status().progress())
        .isEqualTo(new Progress(20, "mine", bench.now()));
  }

  @Test
  default void progress_isRefused_forAnUnknownJob(Bench bench) {
    ClaimRef nobody = new ClaimRef(bench.made(Draft.job()).id(), 1, bench.worker());
    assertThat(bench.store().progress(nobody, 10, "ghost")).isFalse();
    assertThat(bench.store().log(nobody, List.of("ghost"))).isFalse();
  }

  @Test
  default void log_keepsLines_inOrder(Bench bench) {
    ClaimRef ref = bench.running().ref();
    assertThat(bench.store().log(ref, List.of("one", "two"))).isTrue();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.store().log(ref, List.of("drei 🚰"))).isTrue();
    assertThat(bench.store().logs(ref.job()))
        .containsExactly(
            new LogLine(bench.now().minusSeconds(1), 1, "one"),
            new LogLine(bench.now().minusSeconds(1), 1, "two"),
            new LogLine(bench.now(), 1, "drei 🚰"));
  }

  @Test
  default void log_tellsAttemptsApart(Bench bench) {
    UUID job = bench.add();
    ClaimRef first = bench.claim(job).ref();
    bench.store().log(first, List.of("first"));
    bench.finish(first, Verdicts.retryNow());
    bench.store().log(bench.claim(job).ref(), List.of("second"));
    assertThat(bench.store().logs(job)).extracting(LogLine::attempt).containsExactly(1, 2);
  }

  @Test
  default void log_keepsOnlyTheNewestLines(Bench bench) {
    ClaimRef ref = bench.running().ref();
    int lines = Defaults.MAX_LOG_LINES + 50;
    for (int from = 0; from < lines; from += 50) {
      bench.store().log(ref, numbered(from, from + 50));
    }
    List<LogLine> kept = bench.store().logs(ref.job());
    assertThat(kept).hasSize(Defaults.MAX_LOG_LINES);
    assertThat(kept.getFirst().text()).isEqualTo("line 50");
    assertThat(kept.getLast().text()).isEqualTo("line " + (lines - 1));
  }

  @Test
  default void log_keepsOnlyTheNewestLines_ofOneCall(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.store().log(ref, numbered(0, Defaults.MAX_LOG_LINES + 3));
    assertThat(bench.store().logs(ref.job()).getFirst().text()).isEqualTo("line 3");
    assertThat(bench.store().logs(ref.job())).hasSize(Defaults.MAX_LOG_LINES);
  }

  @Test
  default void log_isRefused_onceTheClaimIsOver(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.store().log(claimed.ref(), List.of("in time"));
    bench.store().cancel(claimed.ref().job(), "no", Verdicts.KEEP);
    assertThat(bench.store().log(claimed.ref(), List.of("late"))).isFalse();
    assertThat(bench.store().logs(claimed.ref().job()))
        .extracting(LogLine::text)
        .containsExactly("in time");
  }

  @Test
  default void log_staysWithAFinishedJob(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.store().log(claimed.ref(), List.of("line"));
    bench.complete(claimed);
    assertThat(bench.store().logs(claimed.ref().job())).hasSize(1);
  }

  @Test
  default void logs_ofAnUnknownJob_areEmpty(Bench bench) {
    assertThat(bench.store().logs(bench.made(Draft.job()).id())).isEmpty();
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "line " + i).toList();
  }
}
