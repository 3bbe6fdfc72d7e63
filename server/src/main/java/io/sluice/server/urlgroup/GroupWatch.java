package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.Job;
import io.sluice.Outcome;
import io.sluice.SluiceException;
import io.sluice.http.HttpCall;
import io.sluice.http.HttpResult;
import io.sluice.server.delivery.Attempts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees what comes of the deliveries of groups: counts them, and minds a receiver that is gone for good. */
public final class GroupWatch implements Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);
  private static final int GONE = 410;

  private final GroupCache groups;
  private final Tallies tallies;
  private final GroupSwitch power;
  private final GroupMeter meter;
  private final InstantSource clock;
  private final LongSupplier nanoTime;

  public GroupWatch(
      GroupCache groups,
      Tallies tallies,
      GroupSwitch power,
      GroupMeter meter,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.groups = groups;
    this.tallies = tallies;
    this.power = power;
    this.meter = meter;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  @Override
  public Outcome make(Job<HttpCall> job, Attempt attempt) throws Exception {
    // As it was before the request, so that a late answer is not taken for one of a later epoch.
    UrlGroup group = job.lane().hasGroup()
        ? groups.look(job.tenant(), job.lane().groupName()).orElse(null)
        : null;
    if (group == null) {
      return attempt.make();
    }
    long begun = nanoTime.getAsLong();
    try {
      Outcome outcome = attempt.make();
      if (outcome instanceof Outcome.Done done && done.result() instanceof HttpResult result) {
        note(
            group,
            new Seen(
                job.id(),
                job.attempt(),
                clock.instant(),
                result.status(),
                null,
                result.durationMs()));
      }
      return outcome;
    } catch (AttemptFailure e) {
      long took = Duration.ofNanos(nanoTime.getAsLong() - begun).toMillis();
      Integer status = e.status().orElse(null);
      note(
          group,
          new Seen(job.id(), job.attempt(), clock.instant(), status, Seen.Failure.of(e), took));
      boolean ended = status != null && status == GONE && gone(group, job.id());
      throw ended
          ? e.withMessage(e.getMessage() + ", and URL group " + group.name()
              + " is disabled now: enable it before a replay")
          : e;
    }
  }

  private void note(UrlGroup group, Seen seen) {
    tallies.add(group, seen);
    meter.count(group.tenant(), group.name(), seen.failure() == null, seen.durationMs());
  }

  private boolean gone(UrlGroup group, UUID job) {
    try {
      return power.gone(group, job);
    } catch (SluiceException e) {
      // The next 410 says the same, and the job's own end must not be lost over it.
      LOG.warn("URL group {} could not be disabled: {}", group.name(), e.getMessage());
      return false;
    }
  }
}
