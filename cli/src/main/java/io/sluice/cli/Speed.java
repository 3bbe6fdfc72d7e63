package io.sluice.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A rate as people type and read it: {@code 100}, {@code 100/s}, {@code 100/minute}, {@code 5/h}. */
record Speed(BigDecimal amount, Unit unit) {
  private static final Pattern TYPED =
      Pattern.compile("([0-9]*\\.?[0-9]+)(?:\\s*/\\s*(s|sec|second|m|min|minute|h|hour))?");

  /** The time that an amount is for. */
  enum Unit {
    SECOND("s"),
    MINUTE("min"),
    HOUR("h");

    private final String sign;

    Unit(String sign) {
      this.sign = sign;
    }

    /** As the API has it for a value. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** As the API has it at the end of a name. */
    private String suffix() {
      return name().charAt(0) + word().substring(1);
    }
  }

  /** What an option says, if it says anything. */
  static @Nullable Speed of(String option, @Nullable String text) {
    if (text == null) {
      return null;
    }
    Matcher typed = TYPED.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!typed.matches()) {
      throw new CommandException(
          Exit.MISUSED,
          option + " must be a number, or one for a time such as 100/s, 100/minute or 5/hour, was '"
              + text + "'");
    }
    String unit = typed.group(2);
    return new Speed(
        new BigDecimal(typed.group(1)),
        switch (unit == null ? 's' : unit.charAt(0)) {
          case 'm' -> Unit.MINUTE;
          case 'h' -> Unit.HOUR;
          default -> Unit.SECOND;
        });
  }

  /** Sets the field of the unit, such as {@code rateLimit.perMinute} for {@code rateLimit.per}. */
  static void addTo(Body body, String prefix, @Nullable Speed speed) {
    if (speed != null) {
      body.set(prefix + speed.unit.suffix(), speed.amount);
    }
  }

  /** "5/s" of the fields of a thing that begin so, a dash where it has none. */
  static String shown(JsonNode thing, String prefix) {
    for (Unit unit : Unit.values()) {
      String amount = Json.text(thing, prefix + unit.suffix());
      if (!amount.isEmpty()) {
        return amount + "/" + unit.sign;
      }
    }
    return "-";
  }

  /** "5/s" of an amount and the word for its unit. */
  static String shown(String amount, String word) {
    for (Unit unit : Unit.values()) {
      if (!amount.isEmpty() && unit.word().equals(word)) {
        return amount + "/" + unit.sign;
      }
    }
    return "-";
  }
}
