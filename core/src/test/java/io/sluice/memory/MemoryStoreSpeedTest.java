package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class MemoryStoreSpeedTest {
  private static final int JOBS = 400_000;
  private static final int BATCH = 500;
  private static final Verdict DONE =
      new Verdict.End(JobState.COMPLETED, null, null, null, Scene.KEEP);

  @Test
  void jobsGoThrough_at300000PerSecond() {
    double best = IntStream.range(0, 5).mapToDouble(i -> jobsPerSecond()).max().orElse(0);
    assertThat(best).isGreaterThan(300_000);
  }

  private static double jobsPerSecond() {
    try (Scene scene = new Scene()) {
      List<List<NewJob>> batches = IntStream.range(0, JOBS / BATCH)
          .mapToObj(i -> IntStream.range(0, BATCH)
              .mapToObj(j -> scene.job(Scene.LANE, Scene.spec(), When.now()))
              .toList())
          .toList();
      long worker = scene.worker(Duration.ofDays(1));
      long start = System.nanoTime();
      batches.forEach(scene.store::insert);
      int done = 0;
      while (done < JOBS) {
        List<ClaimedJob> claimed = scene.claim(worker, BATCH);
        List<Finish> finishes =
            claimed.stream().map(job -> new Finish(job.ref(), DONE)).toList();
        done += scene.store.finish(finishes).size();
      }
      double seconds = (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
      System.out.printf("%,.0f jobs/s%n", JOBS / seconds);
      return JOBS / seconds;
    }
  }
}
