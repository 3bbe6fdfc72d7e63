package io.sluice.server.limit;

import io.sluice.LimitState;
import io.sluice.RateLimit;
import io.sluice.Scope;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A limit as it is read back, with how far it is used: {@code used} is the number of running jobs where
 * those are limited, and otherwise the starts that are spent of its burst. What does not apply is null.
 *
 * @param pattern the limit that this key falls under where it has none of its own
 */
record LimitView(
    String key,
    String scope,
    @Nullable String name,
    @Nullable String pattern,
    @Nullable Double rate,
    RateLimit.@Nullable Per per,
    @Nullable Integer burst,
    @Nullable Integer concurrency,
    @Nullable Number used,
    long waiting,
    @Nullable Instant resetsAt,
    @Nullable Integer running,
    @Nullable Map<String, Integer> holders,
    @Nullable BigDecimal spent,
    @Nullable Instant nextStartAt) {

  /** The state of the limit that holds for a scope. */
  static LimitView of(Scope scope, LimitState state) {
    RateLimit rate = state.limit().rate();
    Integer concurrency = state.limit().concurrency();
    Integer running = concurrency == null ? null : state.running();
    BigDecimal spent = rounded(state.spent());
    boolean own = state.limit().scope().equals(scope);
    return new LimitView(
        scope.key(),
        scope.kind().word(),
        scope.kind().isNamed() ? scope.name() : null,
        own ? null : state.limit().scope().key(),
        rate == null ? null : rate.amount(),
        rate == null ? null : rate.per(),
        rate == null ? null : rate.burst(),
        concurrency,
        running == null ? spent : running,
        state.waiting(),
        state.resetsAt(),
        running,
        running == null ? null : new TreeMap<>(state.holders()),
        spent,
        state.nextStartAt());
  }

  private static @Nullable BigDecimal rounded(@Nullable Double spent) {
    return spent == null ? null : BigDecimal.valueOf(spent).setScale(3, RoundingMode.HALF_UP);
  }
}
