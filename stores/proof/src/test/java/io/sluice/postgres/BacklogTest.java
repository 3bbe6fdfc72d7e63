package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.store.Count;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Great numbers of jobs that stand before others, and do not delay them. */
@Tag("slow")
class BacklogTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int MANY =
      System.getProperty("sluice.tier", "quick").equals("long") ? 1_000_000 : 30_000;

  private final String schema = Server.newSchema();

  @AfterEach
  void clear() {
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void handledJobsStart_thoughManyOfATypeNobodyHandlesStandBeforeThem() {
    try (Sluice sluice = engine()) {
      fill(sluice, () -> Jobs.of("unknown"));
      List<UUID> handled = Collections.nCopies(100, 0).stream()
          .map(n -> sluice.enqueue(Jobs.of("known")).id())
          .toList();
      for (UUID id : handled) {
        completed(sluice, id);
      }
      assertThat(sluice.find(handled.getFirst()).orElseThrow().attempt()).isEqualTo(1);
      assertThat(count(sluice, "unknown", JobState.PENDING)).isEqualTo(MANY);
    }
  }

  @Test
  void jobsDueInTheSameSecond_arePromoted_andOthersGoBetweenThem() {
    try (Sluice sluice = engine()) {
      Instant due = InstantSource.system().instant().plus(Duration.ofSeconds(MANY / 20_000 + 2));
      fill(sluice, () -> Jobs.of("unknown").runAt(due));
      UUID other = sluice.enqueue(Jobs.of("known").runAt(due)).id();
      completed(sluice, other);
      long waiting = count(sluice, "unknown", JobState.SCHEDULED);
      if (MANY == 1_000_000) {
        assertThat(waiting).describedAs("left when the other one was done").isPositive();
      }
      Eventually.await(
          "all are promoted",
          Duration.ofMinutes(3),
          () -> count(sluice, "unknown", JobState.PENDING) == MANY);
    }
  }

  private Sluice engine() {
    return Sluice.builder(
            SERVER.store(schema).statementTimeout(Duration.ofMinutes(1)).build())
        .handler("known", Object.class, (job, context) -> {})
        .build()
        .start();
  }

  private static void fill(Sluice sluice, Supplier<JobRequest> job) {
    for (int left = MANY; left > 0; left -= 10_000) {
      int size = Math.min(left, 10_000);
      sluice.enqueueAll(
          Collections.nCopies(size, 0).stream().map(n -> job.get()).toList());
    }
  }

  private static void completed(Sluice sluice, UUID job) {
    Eventually.await(
        "job " + job + " is done",
        Duration.ofMinutes(1),
        () -> sluice.find(job).orElseThrow().state() == JobState.COMPLETED);
  }

  private static long count(Sluice sluice, String type, JobState state) {
    return sluice.stats().counts().stream()
        .filter(c -> c.type().equals(type) && c.state() == state)
        .mapToLong(Count::jobs)
        .sum();
  }
}
