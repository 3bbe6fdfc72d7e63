package io.sluice.server.limit;

import io.sluice.RateLimit;
import io.sluice.server.rest.Checks;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rates out of requests, in whichever fields they stand there. */
public final class Rates {
  private static final double MOST = 1e9;
  private static final int LARGEST_BURST = 1_000_000_000;

  /** A field that may hold the amount of a rate. */
  public record Amount(
      String field, RateLimit.Per per, @Nullable Double value) {}

  /** The field with the burst of a rate. */
  public record Burst(String field, @Nullable Integer value) {}

  private Rates() {}

  /** The rate of the one amount that is given, null where none is; notes what is wrong. */
  public static @Nullable RateLimit read(Checks checks, Burst burst, Amount... amounts) {
    List<Amount> given = Arrays.stream(amounts).filter(a -> a.value != null).toList();
    if (given.isEmpty()) {
      checks.require(burst.value == null, burst.field, "must go with a rate");
      return null;
    }
    Amount amount = given.getFirst();
    given.stream()
        .skip(1)
        .forEach(more -> checks.require(
            false,
            more.field,
            "must not be given together with " + last(amount.field) + ": one of them is enough"));
    double value = amount.value == null ? 0 : amount.value;
    boolean fits = value > 0 && value <= MOST;
    boolean bursts = burst.value == null || (burst.value >= 1 && burst.value <= LARGEST_BURST);
    checks
        .require(fits, amount.field, "must be more than 0 and at most 1000000000")
        .require(bursts, burst.field, "must be 1 to " + LARGEST_BURST);
    return fits && bursts ? rate(value, amount.per, burst.value) : null;
  }

  /** Where no burst is given, it is what a second allows, and one at least. */
  private static RateLimit rate(double amount, RateLimit.Per per, @Nullable Integer burst) {
    double perSecond = new RateLimit(amount, per, 1).perSecond();
    return new RateLimit(
        amount, per, burst == null ? (int) Math.max(1, Math.ceil(perSecond)) : burst);
  }

  private static String last(String field) {
    return field.substring(field.lastIndexOf('.') + 1);
  }
}
