package io.sluice.benchmarks;

import io.sluice.memory.MemoryStore;
import io.sluice.postgres.PostgresStore;
import io.sluice.store.JobStore;
import java.util.concurrent.atomic.AtomicInteger;

/** A kind of store that is measured. */
sealed interface Subject {
  String name();

  /** A store of this kind that is empty. */
  JobStore fresh();

  record Memory() implements Subject {
    @Override
    public String name() {
      return "memory";
    }

    @Override
    public JobStore fresh() {
      return MemoryStore.builder().maxJobs(5_000_000).build();
    }
  }

  record Postgres(Database database, AtomicInteger schemas) implements Subject {
    Postgres(Database database) {
      this(database, new AtomicInteger());
    }

    @Override
    public String name() {
      return "postgres";
    }

    @Override
    public JobStore fresh() {
      database.run("drop schema if exists " + schema() + " cascade");
      schemas.incrementAndGet();
      return PostgresStore.builder().url(database.url()).schema(schema()).build();
    }

    /** The schema of the store that was made last. */
    String schema() {
      return "bench" + schemas.get();
    }
  }
}
