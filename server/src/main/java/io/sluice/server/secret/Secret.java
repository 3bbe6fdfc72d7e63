package io.sluice.server.secret;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A secret that somebody gave. It goes in and never out: in JSON and in print it reads {@code ***}.
 * Whoever gives those stars means the secret that is kept already.
 */
public final class Secret {
  /** What stands where a secret is not shown. */
  public static final String HIDDEN = "***";

  private final String text;

  private Secret(String text) {
    this.text = text;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Secret of(String text) {
    return new Secret(text);
  }

  /** The secret itself, for whoever has to use it. */
  public String reveal() {
    return text;
  }

  /** True where the secret is not given, and the one that is kept is meant. */
  public boolean isKept() {
    return text.equals(HIDDEN);
  }

  @JsonValue
  @Override
  public String toString() {
    return HIDDEN;
  }
}
