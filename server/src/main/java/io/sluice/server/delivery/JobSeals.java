package io.sluice.server.delivery;

import io.sluice.Codec;
import io.sluice.JacksonCodec;
import io.sluice.SluiceException;
import io.sluice.http.HttpCall;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.secret.SealedRows;
import io.sluice.server.secret.Vault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sealed values in HTTP jobs that are kept in PostgreSQL, waiting or over: a dead one may be
 * replayed. Everything else of a payload stays as it is, to the letter.
 */
public final class JobSeals implements SealedRows {
  private static final Logger LOG = LoggerFactory.getLogger(JobSeals.class);
  private static final int JOBS = 500;

  private record Found(UUID id, int shelf, @Nullable String tenant, boolean sealed) {}

  private final Database database;
  private final CallSecrets secrets;
  private final Codec codec = new JacksonCodec();

  public JobSeals(Database database, CallSecrets secrets) {
    this.database = database;
    this.secrets = secrets;
  }

  @Override
  public long count() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "count-jobs")) {
        return call.one(row -> row.getLong("rows"));
      }
    });
  }

  @Override
  public Batch reseal(@Nullable String after) {
    List<Found> jobs = page(after);
    int resealed = 0;
    int unreadable = 0;
    for (Found job : jobs) {
      try {
        resealed += job.sealed ? reseal(job) : 0;
      } catch (SluiceException e) {
        LOG.warn("Job {} is left as it is: {}", job.id, e.getMessage());
        unreadable++;
      }
    }
    String last = jobs.size() < JOBS ? null : jobs.getLast().id.toString();
    return new Batch(jobs.size(), resealed, unreadable, last);
  }

  private List<Found> page(@Nullable String after) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "jobs-to-reseal")) {
        return call.plannedAnew()
            .setOrNull("after", after == null ? null : UUID.fromString(after))
            .set("type", HttpCall.TYPE)
            .set("mark", Vault.PREFIX)
            .set("limit", JOBS)
            .list(row -> new Found(
                row.getObject("id", UUID.class),
                row.getInt("shelf"),
                row.getString("tenant"),
                row.getBoolean("sealed")));
      }
    });
  }

  /** How many values of a job were sealed anew. One payload at a time, because they may be long. */
  private int reseal(Found job) {
    Optional<String> before = payload(job);
    if (before.isEmpty() || job.tenant == null) {
      return 0;
    }
    Map<String, String> renewed =
        secrets.renewed(job.tenant, codec.decode(before.get(), HttpCall.class));
    return !renewed.isEmpty() && replace(job, before.get(), Vault.replaced(before.get(), renewed))
        ? renewed.size()
        : 0;
  }

  private Optional<String> payload(Found job) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "payload-to-reseal")) {
        return call
            .set("id", job.id)
            .set("shelf", job.shelf)
            .list(row -> row.getString("payload"))
            .stream()
            .findFirst();
      }
    });
  }

  private boolean replace(Found job, String before, String after) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "reseal-job")) {
        return call.set("id", job.id)
                .set("shelf", job.shelf)
                .set("before", before)
                .set("renewed", after)
                .update()
            > 0;
      }
    });
  }
}
