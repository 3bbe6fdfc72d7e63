package io.sluice.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A line of the log, and below it the stack trace where there is one. Messages may quote what strangers
 * sent: nothing in them can begin another line, or act on the terminal of whoever reads the log.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
      .withZone(ZoneOffset.UTC);
  private static final Pattern BREAKS = Pattern.compile("[\\r\\n\\x0b\\f\\x85\u2028\u2029]+");
  /** Line breaks that are no part of a stack trace: the message of an exception has them. */
  private static final Pattern BREAKS_IN_TRACE = Pattern.compile(
      "\\r\\n?|\\n(?!\\t|Caused by: |Wrapped by: |\\z)|[\\x0b\\f\\x85\u2028\u2029]");

  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\t\\n]]");

  @Override
  public String doLayout(ILoggingEvent event) {
    String name = event.getLoggerName();
    String line = "%s %-5s %s %s%n"
        .formatted(
            TIME.format(event.getInstant()),
            event.getLevel(),
            name.substring(name.lastIndexOf('.') + 1),
            clean(BREAKS, String.valueOf(event.getFormattedMessage())));
    IThrowableProxy thrown = event.getThrowableProxy();
    return thrown == null
        ? line
        : line + clean(BREAKS_IN_TRACE, ThrowableProxyUtil.asString(thrown));
  }

  private static String clean(Pattern breaks, String text) {
    return CONTROLS.matcher(breaks.matcher(text).replaceAll(" | ")).replaceAll("?");
  }
}
