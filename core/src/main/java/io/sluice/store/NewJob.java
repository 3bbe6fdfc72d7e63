package io.sluice.store;

import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.When;
import java.util.UUID;

/**
 * A checked and encoded job on its way into a store. With {@code strict}, a known idempotency key is
 * refused instead of answered with the job that has it. With {@code pastCaps}, a full queue or tenant does not
 * refuse it, but it counts there: for what follows from a job that was let in.
 */
public record NewJob(
    UUID id, Lane lane, JobSpec spec, When when, boolean strict, boolean pastCaps) {

  /** A job that is refused where there is no room. */
  public NewJob(UUID id, Lane lane, JobSpec spec, When when, boolean strict) {
    this(id, lane, spec, when, strict, false);
  }

  /** The same, past the caps. */
  public NewJob uncapped() {
    return new NewJob(id, lane, spec, when, strict, true);
  }
}
