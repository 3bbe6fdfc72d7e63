package io.sluice.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.JobFilter;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.memory.MemoryStore;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The time that a call about many jobs may take. */
class BulkJobsTest {
  @Test
  void pages_haveOneWriteEach_andEndAfterTenSeconds() {
    JobStore store = MemoryStore.create();
    AtomicLong nanos = new AtomicLong();
    BulkJobs bulk = new BulkJobs(store, (job, filter) -> true, nanos::get);
    List<Integer> writes = new ArrayList<>();
    try (Sluice sluice = Sluice.builder(store).build().start()) {
      for (int i = 0; i < 600; i++) {
        sluice.enqueue(Jobs.of("t").delay(Duration.ofHours(1)));
      }
      UnaryOperator<List<UUID>> slowly = ids -> {
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        writes.add(ids.size());
        return ids.subList(1, ids.size());
      };
      assertThat(bulk.pages(JobFilter.all().inTenant("default"), slowly))
          .isEqualTo(new BulkJobs.Changed(498, true));
      assertThat(writes).containsExactly(250, 250);
    }
  }

  @Test
  void each_endsAfterTenSeconds_andReportsThatThereIsMore() {
    JobStore store = MemoryStore.create();
    AtomicLong nanos = new AtomicLong();
    BulkJobs bulk = new BulkJobs(store, (job, filter) -> true, nanos::get);
    try (Sluice sluice = Sluice.builder(store).build().start()) {
      List<UUID> ids = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ids.add(sluice.enqueue(Jobs.of("t").delay(Duration.ofHours(1))).id());
      }
      Predicate<UUID> slowly = id -> {
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        return sluice.cancel(id) == CancelResult.CANCELLED;
      };
      JobFilter ofTenant = JobFilter.all().inTenant("default");
      BulkSelection byFilter = new BulkSelection(ofTenant, List.of());
      assertThat(bulk.each(byFilter, slowly)).isEqualTo(new BulkJobs.Changed(2, true));
      BulkSelection byIds = new BulkSelection(ofTenant, ids.reversed());
      assertThat(bulk.each(byIds, slowly)).isEqualTo(new BulkJobs.Changed(0, true));
      assertThat(bulk.each(new BulkSelection(ofTenant, ids), slowly))
          .isEqualTo(new BulkJobs.Changed(1, true));
      assertThat(bulk.each(new BulkSelection(ofTenant, ids.subList(0, 1)), slowly))
          .isEqualTo(new BulkJobs.Changed(0, false));
    }
  }
}
