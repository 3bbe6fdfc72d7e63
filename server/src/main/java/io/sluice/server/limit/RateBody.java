package io.sluice.server.limit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.server.rest.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The rate of a queue or a tenant as callers write and read it: so many jobs in a second, a minute or an
 * hour, one of the three; the burst is what a second allows where it is not given.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RateBody(
    @Nullable Double perSecond,
    @Nullable Double perMinute,
    @Nullable Double perHour,
    @Nullable Integer burst) {

  public static @Nullable RateBody of(@Nullable RateLimit rate) {
    return rate == null
        ? null
        : new RateBody(
            in(Per.SECOND, rate), in(Per.MINUTE, rate), in(Per.HOUR, rate), rate.burst());
  }

  private static @Nullable Double in(Per per, RateLimit rate) {
    return rate.per() == per ? rate.amount() : null;
  }

  /** The rate, where nothing is wrong with it; notes what is, under the name of its field. */
  public static @Nullable RateLimit read(Checks checks, String field, @Nullable RateBody body) {
    if (body == null) {
      return null;
    }
    checks.require(
        body.perSecond != null || body.perMinute != null || body.perHour != null,
        field + ".perSecond",
        "must be given, or perMinute, or perHour");
    return Rates.read(
        checks,
        new Rates.Burst(field + ".burst", body.burst),
        new Rates.Amount(field + ".perSecond", Per.SECOND, body.perSecond),
        new Rates.Amount(field + ".perMinute", Per.MINUTE, body.perMinute),
        new Rates.Amount(field + ".perHour", Per.HOUR, body.perHour));
  }
}
