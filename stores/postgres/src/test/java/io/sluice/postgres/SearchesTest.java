package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.SluiceException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many searches there are at a time. */
class SearchesTest {
  private static final JobFilter LOUD = JobFilter.all().inTenant("loud").containing("x");
  private static final JobFilter QUIET = JobFilter.all().inTenant("quiet").containing("x");

  private final Searches searches = new Searches(Duration.ofSeconds(3), Duration.ofMillis(1));
  private final Searches patient = new Searches(Duration.ofSeconds(3), Duration.ofSeconds(60));
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() {
    end.countDown();
    callers.close();
  }

  /** Begins a search that goes on until the end. */
  private void hold(Searches in, JobFilter filter) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    var unused = callers.submit(() -> in.run(filter, () -> {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return true;
    }));
    begun.await();
  }

  private SluiceException refused(JobFilter filter) {
    return catchThrowableOfType(
        SluiceException.class, () -> searches.run(filter, () -> "searched"));
  }

  @Test
  void tenant_makesTwoSearchesAtATime_andOthersStillMakeTheirs() throws Exception {
    hold(searches, LOUD);
    hold(searches, LOUD);
    SluiceException refusal = refused(LOUD);
    assertThat(refusal.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refusal).hasMessageContaining("the tenant makes 2 searches already");
    assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(3));
    assertThat(searches.run(QUIET, () -> "searched")).isEqualTo("searched");
  }

  @Test
  void searchesOfAllTenants_leaveConnectionsForOtherReads() throws Exception {
    for (int i = 0; i < Searches.AT_ONCE; i++) {
      hold(searches, JobFilter.all().inTenant("loud" + i).containing("x"));
    }
    assertThat(refused(QUIET).code()).isEqualTo(ErrorCode.RATE_LIMITED);
  }

  @Test
  void search_waitsForOneThatEnds() throws Exception {
    hold(patient, LOUD);
    hold(patient, LOUD);
    Future<String> third = callers.submit(() -> patient.run(LOUD, () -> "searched"));
    end.countDown();
    assertThat(third.get()).isEqualTo("searched");
  }

  @Test
  void refusalOfALongSearch_namesWhatWasSearchedBy() {
    assertThat(searches.tookTooLong(QUIET).field()).contains("q");
    assertThat(searches.tookTooLong(QUIET)).hasMessageContaining("narrow the list by queue");
    assertThat(searches
            .tookTooLong(JobFilter.all().withMetadata(Map.of("userId", "u1")))
            .field())
        .contains("metadata.userId");
    assertThat(searches
            .tookTooLong(JobFilter.all().createdBetween(null, Instant.EPOCH))
            .field())
        .contains("to");
  }
}
