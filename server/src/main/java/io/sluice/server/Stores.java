package io.sluice.server;

import io.sluice.memory.MemoryStore;
import io.sluice.postgres.PostgresStore;
import io.sluice.postgres.PostgresStoreBuilder;
import io.sluice.server.config.Store;
import io.sluice.store.JobStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The store that settings ask for, not opened yet. */
final class Stores {
  private Stores() {}

  static JobStore of(ServerSettings settings) {
    return settings.work().store() == Store.MEMORY
        ? memory(settings.snapshot())
        : postgres(settings.database());
  }

  private static JobStore memory(@Nullable Path snapshot) {
    MemoryStore.Builder builder = MemoryStore.builder();
    return (snapshot == null ? builder : builder.snapshot(snapshot)).build();
  }

  private static JobStore postgres(ServerSettings.DatabaseSettings database) {
    PostgresStoreBuilder builder = PostgresStore.builder()
        .url(database.url())
        .schema(database.schema())
        .pooled(database.pooled());
    if (database.user() != null) {
      builder.user(database.user());
    }
    if (database.password() != null) {
      builder.password(database.password());
    }
    return builder.build();
  }
}
