package io.sluice.server.tenants;

import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.server.rest.Checks;
import org.jspecify.annotations.Nullable;

/** The shares of its size at which a queue or tenant is called WARNING and HIGH, as callers say them. */
public record LevelsBody(@Nullable Double warning, @Nullable Double high) {
  public static @Nullable LevelsBody of(@Nullable Marks marks) {
    return marks == null ? null : new LevelsBody(marks.warning(), marks.high());
  }

  /** The marks that were given; what is left out is as before, or the default. */
  public static @Nullable Marks read(
      Checks checks, @Nullable LevelsBody given, @Nullable Marks before) {
    if (given == null) {
      return null;
    }
    Marks base = before == null ? Marks.DEFAULT : before;
    double warning = given.warning == null ? base.warning() : given.warning;
    double high = given.high == null ? Math.max(base.high(), warning) : given.high;
    checks
        .require(isShare(warning), "levels.warning", "must be more than 0 and at most 1")
        .require(
            isShare(high) && high >= warning,
            "levels.high",
            "must be from levels.warning (" + warning + ") to 1");
    return isShare(warning) && isShare(high) && high >= warning ? new Marks(warning, high) : null;
  }

  /** What was given, with what it leaves out as it was. */
  static @Nullable LevelsBody over(@Nullable LevelsBody given, @Nullable Marks before) {
    return given == null || before == null
        ? given
        : new LevelsBody(
            given.warning == null ? Double.valueOf(before.warning()) : given.warning,
            given.high == null ? Double.valueOf(before.high()) : given.high);
  }

  private static boolean isShare(double value) {
    return value > 0 && value <= 1;
  }

  /** The level of what holds so many; null where its size is not limited. */
  public static @Nullable Level level(
      @Nullable Long size, @Nullable Long maxSize, @Nullable Marks own, Marks marks) {
    return size == null || maxSize == null
        ? null
        : Level.of(size, maxSize, own == null ? marks : own);
  }
}
