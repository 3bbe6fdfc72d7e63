package io.sluice.engine;

import io.sluice.ErrorClassifier;
import io.sluice.JacksonCodec;
import io.sluice.JobSpec;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.RetryPolicy;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.UUID;

/** What tests of the engine's parts are made of. */
final class Pieces {
  static final Instant NOW = Instant.parse("2030-01-15T12:00:00Z");
  static final long WORKER = 7;

  private Pieces() {}

  static Tools tools() {
    return new Tools(
        new JacksonCodec(),
        ErrorClassifier.byType(),
        InstantSource.fixed(NOW),
        System::nanoTime,
        new SplittableRandom(11));
  }

  static Lane lane(String queue, String type) {
    return Lane.of("default", queue, type);
  }

  static JobType<Object> type(String name) {
    return JobType.of(name, Object.class).handle((job, context) -> {});
  }

  static Attempt attempt(long id, Lane lane, JobType<?> type, Strikes strikes) {
    JobSpec spec = new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE);
    ClaimedJob claimed = new ClaimedJob(
        new ClaimRef(new UUID(0, id), 1, WORKER), lane, spec, NOW, NOW, 1, strikes, null);
    return new Attempt(claimed, 0, type, RetryPolicy.none(), Duration.ofSeconds(30));
  }
}
