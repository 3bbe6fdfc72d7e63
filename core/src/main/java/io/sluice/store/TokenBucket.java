package io.sluice.store;

import io.sluice.RateLimit;
import java.time.Duration;
import java.time.Instant;

/**
 * How far a limited rate is used, as one moment: by {@code goodAt} all that was started is made good, if
 * each start costs one {@code interval}. A bucket whose moment has passed is full. What was used stays
 * used when the rate changes, counted in starts.
 *
 * <p>{@code asOf} is the moment at which this was true. A clock that is before it was set back since: then
 * as much is used as was then, and no more, or a rate would stand still until the clock has caught up.
 */
public record TokenBucket(Instant goodAt, Duration interval, Instant asOf) {
  private static final double LONGEST = Duration.ofDays(36_500).toNanos();
  /** What a store that keeps microseconds rounds away, and no job need wait for. */
  private static final double NOTHING = 1_000;

  /** A bucket of which nothing is used. */
  public static TokenBucket full(RateLimit rate, Instant now) {
    return new TokenBucket(now, rate.interval(), now);
  }

  /** The same use as of now, and under this rate. */
  public TokenBucket under(RateLimit rate, Instant now) {
    Duration wanted = rate.interval();
    TokenBucket known = at(now);
    return wanted.equals(interval)
        ? known
        : new TokenBucket(later(now, known.spent(now) * wanted.toNanos()), wanted, now);
  }

  private TokenBucket at(Instant now) {
    if (now.equals(asOf)) {
      return this;
    }
    boolean setBack = now.isBefore(asOf) && goodAt.isAfter(asOf);
    return setBack
        ? new TokenBucket(now.plus(Duration.between(asOf, goodAt)), interval, now)
        : new TokenBucket(goodAt, interval, now);
  }

  /** True when another bucket is used as far, whenever that was noted. */
  public boolean isUsedAs(TokenBucket other) {
    return goodAt.equals(other.goodAt) && interval.equals(other.interval);
  }

  /** The starts that are not made good yet, with those that were granted for later. */
  public double spent(Instant now) {
    return used(now) / interval.toNanos();
  }

  /** When a job of this cost may start; one that costs more than the whole burst waits for all of it. */
  public Instant start(RateLimit rate, int cost, Instant now) {
    int spare = rate.burst() - Math.min(cost, rate.burst());
    double wait = used(now) - (double) spare * interval.toNanos();
    return wait < NOTHING ? now : later(now, wait);
  }

  /** The bucket after a job of this cost that starts at this moment. */
  public TokenBucket charged(int cost, Instant start) {
    Instant from = goodAt.isAfter(start) ? goodAt : start;
    return new TokenBucket(later(from, (double) cost * interval.toNanos()), interval, asOf);
  }

  /** True when all that was started before this moment is made good by then. */
  public boolean isFull(Instant moment) {
    return !goodAt.isAfter(moment);
  }

  /** The bucket that begins to be made good only after this time. */
  public TokenBucket after(Duration time) {
    return time.isZero() ? this : new TokenBucket(goodAt.plus(time), interval, asOf);
  }

  /** How many jobs may start until so long from now, if each costs so much. */
  public int fits(RateLimit rate, double cost, Instant now, Duration ahead) {
    double soon = nanos(ahead) + NOTHING;
    double spare = soon + (rate.burst() - 1.0) * interval.toNanos() - used(now);
    double more = Math.floor(spare / interval.toNanos() / cost);
    return spare < 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, more + 1);
  }

  private double used(Instant now) {
    return goodAt.isAfter(now) ? nanos(Duration.between(now, goodAt)) : 0;
  }

  private static double nanos(Duration span) {
    return Math.min(LONGEST, span.getSeconds() * 1e9 + span.getNano());
  }

  private static Instant later(Instant moment, double nanos) {
    return moment.plusNanos(Math.round(Math.ceil(Math.min(LONGEST, nanos))));
  }
}
