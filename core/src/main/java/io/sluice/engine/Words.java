package io.sluice.engine;

import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.RateLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** How things are put in sentences for people. */
final class Words {
  /** So much of an error stands in a sentence. */
  private static final int LONGEST = 200;

  /** So many of several things are named. */
  static final int FEW = 10;

  private Words() {}

  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  static String quoted(String name) {
    return "'" + name + "'";
  }

  /** "1 job", "1,200 jobs". */
  static String count(long number, String thing) {
    return number(number) + " " + thing + (number == 1 ? "" : "s");
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** "a", "a and b", "a, b and c"; of many the first few, and how many more there are. */
  static String list(List<String> things) {
    if (things.size() > FEW) {
      return String.join(", ", things.subList(0, FEW)) + " and " + (things.size() - FEW) + " more";
    }
    int last = things.size() - 1;
    return last < 1
        ? String.join("", things)
        : String.join(", ", things.subList(0, last)) + " and " + things.get(last);
  }

  /** "a, b, c"; of many the first few, and how many more there are. */
  static String row(List<String> things, int all) {
    List<String> shown = things.subList(0, Math.min(FEW, things.size()));
    int more = all - shown.size();
    return String.join(", ", shown) + (more == 0 ? "" : " and " + number(more) + " more");
  }

  /** "250ms", "5.2s", "3m 20s", "5h 2m", "2d 4h". */
  static String span(Duration span) {
    if (span.toMillis() < 1_000) {
      return Math.max(0, span.toMillis()) + "ms";
    }
    if (span.toMinutes() < 1) {
      return decimal(span.toMillis() / 1_000.0) + "s";
    }
    if (span.toHours() < 1) {
      return two(span.toMinutes(), "m", span.toSecondsPart(), "s");
    }
    return span.toDays() < 1
        ? two(span.toHours(), "h", span.toMinutesPart(), "m")
        : two(span.toDays(), "d", span.toHoursPart(), "h");
  }

  private static String two(long large, String unit, int small, String smaller) {
    return large + unit + (small == 0 ? "" : " " + small + smaller);
  }

  /** "3 jobs per second", "12 jobs per minute". */
  static String pace(double perSecond) {
    return perSecond >= 1
        ? decimal(perSecond) + (perSecond == 1 ? " job" : " jobs") + " per second"
        : count(Math.max(1, Math.round(perSecond * 60)), "job") + " per minute";
  }

  /** "100 jobs start per second" without its verb. */
  static String rate(RateLimit rate) {
    return exact(rate.amount()) + (rate.amount() == 1 ? " job" : " jobs") + " start per "
        + rate.per().name().toLowerCase(Locale.ROOT) + " (burst " + rate.burst() + ")";
  }

  private static String exact(double figure) {
    return BigDecimal.valueOf(figure).stripTrailingZeros().toPlainString();
  }

  /** At most one decimal, none where there is nothing in it. */
  private static String decimal(double figure) {
    return figure >= 10 || Math.round(figure * 10) % 10 == 0
        ? number(Math.round(figure))
        : String.format(Locale.ROOT, "%.1f", figure);
  }

  /** "SERVER: bad gateway": its class, or its code where that says more, and its first line. */
  static String error(JobError error) {
    String kind = error.errorClass() == ErrorClass.UNKNOWN && !error.code().isEmpty()
        ? error.code()
        : error.errorClass().name();
    String line = line(error.message());
    return line.isEmpty() ? kind : kind + ": " + line;
  }

  /** The first line of a text, not too long and without its full stop. */
  static String line(String text) {
    String line = text.lines().findFirst().orElse("").strip();
    if (line.codePointCount(0, line.length()) > LONGEST) {
      return line.substring(0, line.offsetByCodePoints(0, LONGEST)) + "…";
    }
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  /** Words as the beginning of a sentence. */
  static String opening(String words) {
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /** A sentence as the second half of another. */
  static String continued(String sentence) {
    String plain = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    return Character.toLowerCase(plain.charAt(0)) + plain.substring(1);
  }
}
