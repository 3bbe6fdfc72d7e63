package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.memory.MemoryStore;
import io.sluice.server.TestDatabase;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The jobs of a group, counted and cleared away, wherever they are kept. */
class GroupJobsTest {
  private static TestDatabase tables;

  @BeforeAll
  static void open() {
    tables = TestDatabase.create();
  }

  @AfterAll
  static void close() {
    tables.close();
  }

  private static UrlGroup group(String name) {
    return new UrlGroup(
        new UUID(1, 1),
        "default",
        name,
        UrlGroupBody.EMPTY,
        null,
        new UrlGroup.Sealed(null, null, null),
        UrlGroup.Power.ON,
        Instant.EPOCH,
        Instant.EPOCH);
  }

  private static UUID add(Sluice sluice, String group, Duration delay) {
    return sluice.enqueue(Jobs.of("http").urlGroup(group).delay(delay)).id();
  }

  private static void countsAndClears(JobStore store, boolean inDatabase) {
    try (Sluice sluice = Sluice.builder(store).build().start()) {
      GroupJobs jobs = new GroupJobs(sluice, tables.database(), inDatabase, InstantSource.system());
      UUID waiting = add(sluice, "a", Duration.ZERO);
      UUID later = add(sluice, "a", Duration.ofHours(1));
      sluice.cancel(add(sluice, "a", Duration.ZERO));
      UUID other = add(sluice, "b", Duration.ZERO);

      Figures figures = jobs.figures(group("a"), Duration.ofMinutes(1));
      assertThat(figures.jobs(JobState.PENDING)).isEqualTo(1);
      assertThat(figures.jobs(JobState.SCHEDULED)).isEqualTo(1);
      assertThat(figures.jobs(JobState.CANCELLED)).isEqualTo(1);
      assertThat(figures.calls()).isZero();

      assertThatThrownBy(() -> jobs.clear("default", "a", false)).hasMessageContaining("force");
      jobs.clear("default", "nobody", false);
      jobs.clear("default", "a", true);
      assertThat(sluice.find(waiting).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
      assertThat(sluice.find(later).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
      assertThat(sluice.find(other).orElseThrow().state()).isEqualTo(JobState.PENDING);
      jobs.clear("default", "a", false);
    }
  }

  @Test
  void jobsInTheDatabase_areCountedAndCleared() {
    countsAndClears(tables.store(), true);
  }

  @Test
  void jobsInMemory_areCountedAndCleared() {
    countsAndClears(MemoryStore.create(), false);
  }
}
