package io.sluice.server.limit;

import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.server.rest.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A limit as a caller sets it: what is left out stays as it is, and what is null is lifted. */
record LimitBody(
    @Nullable String scope,
    @Nullable Double rate,
    @Nullable Per per,
    @Nullable Integer burst,
    @Nullable Integer concurrency) {

  static LimitBody of(Terms terms) {
    RateLimit rate = terms.rate();
    return rate == null
        ? new LimitBody(null, null, null, null, terms.concurrency())
        : new LimitBody(null, rate.amount(), rate.per(), rate.burst(), terms.concurrency());
  }

  /**
   * The terms of this body, which was laid over what there was.
   *
   * @param given the body as it came: a rate that is given without a burst has the usual one, since that
   *     of another rate would be too small for it or too large
   */
  Terms terms(LimitBody given) {
    Integer bursts = given.rate != null || rate == null ? given.burst : burst;
    Checks checks = new Checks()
        .require(
            rate != null || concurrency != null,
            "rate",
            "must be given, or a concurrency, or both; DELETE lifts a limit")
        .require(rate != null || given.per == null, "per", "must go with a rate")
        .require(concurrency == null || concurrency >= 1, "concurrency", "must be 1 or more");
    RateLimit limit = Rates.read(
        checks,
        new Rates.Burst("burst", bursts),
        new Rates.Amount("rate", Objects.requireNonNullElse(per, Per.SECOND), rate));
    checks.done();
    return new Terms(limit, concurrency);
  }
}
