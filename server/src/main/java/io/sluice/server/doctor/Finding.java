package io.sluice.server.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a check has to say, about one topic. */
public sealed interface Finding {
  String topic();

  /** What is the case. */
  String says();

  /** How to mend it; null where there is nothing to mend. */
  @Nullable
  String mend();

  /** All is well. */
  record Ok(String topic, String says) implements Finding {
    @Override
    public @Nullable String mend() {
      return null;
    }
  }

  /** Was not looked at, and why. */
  record Skipped(String topic, String says) implements Finding {
    @Override
    public @Nullable String mend() {
      return null;
    }
  }

  /** Works, and should be mended. */
  record Warning(String topic, String says, String mend) implements Finding {}

  /** Does not work, or loses jobs. */
  record Problem(String topic, String says, String mend) implements Finding {}

  /** The word that a line begins with. */
  default String level() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  default String line() {
    return "%-8s %-11s%s".formatted(level(), topic(), says())
        + (mend() == null ? "" : " " + mend());
  }
}
