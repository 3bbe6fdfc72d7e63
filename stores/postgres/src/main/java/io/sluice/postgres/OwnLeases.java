package io.sluice.postgres;

import io.sluice.store.ClaimRef;
import io.sluice.store.HeldJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** The leases of claims that are not held as long as their worker is. */
final class OwnLeases {
  private record Held(Taken job, Duration heldFor) {}

  private final Database database;
  private final Catalog catalog;

  OwnLeases(Database database, Catalog catalog) {
    this.database = database;
    this.catalog = catalog;
  }

  Optional<Instant> extend(ClaimRef ref, Duration lease) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "extend")) {
        return call
            .set("id", ref.job())
            .set("turn", ref.turn())
            .set("worker", ref.worker())
            .set("lease", Times.micros(lease))
            .list(row -> Times.read(row, "lease_until"))
            .stream()
            .findFirst();
      }
    });
  }

  Optional<HeldJob> held(ClaimRef ref) {
    return database.run(connection -> {
      List<Held> found;
      try (Call call = database.call(connection, "held-claim")) {
        found = call.set("id", ref.job())
            .set("turn", ref.turn())
            .set("worker", ref.worker())
            .list(row ->
                new Held(Taken.read(row), Duration.of(row.getLong("held_us"), ChronoUnit.MICROS)));
      }
      var lanes =
          catalog.lanes(connection, found.stream().map(h -> h.job().lane()).toList());
      return found.stream()
          .map(held -> new HeldJob(held.job().in(lanes), held.heldFor()))
          .findFirst();
    });
  }
}
