package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogLayoutTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.005Z");
  private static final String HEAD = "2026-01-31T12:00:00.005Z WARN  Login ";

  private static String logged(String message, @Nullable Throwable thrown) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event = new LoggingEvent(
        LogLayout.class.getName(),
        context.getLogger("io.sluice.server.login.Login"),
        Level.WARN,
        message,
        thrown,
        null);
    event.setInstant(NOON);
    return new LogLayout().doLayout(event);
  }

  @Test
  void event_isOneLine() {
    assertThat(logged("a key was refused", null)).isEqualTo(HEAD + "a key was refused\n");
  }

  @Test
  void message_beginsNoLine_andMovesNoCursor() {
    assertThat(logged("a\r\nb\u2028c", null)).isEqualTo(HEAD + "a | b | c\n");
    assertThat(logged("a\033[2Jb\u009b2Jc\u202ed\u0000\t.", null))
        .isEqualTo(HEAD + "a?[2Jb?2Jc?d?\t.\n");
  }

  @Test
  void messageOfAnException_beginsNoLine_andMovesNoCursor() {
    String forged = "2026-01-31T12:00:00.006Z INFO  Login root is in";
    RuntimeException thrown = new IllegalStateException(
        "outer\n" + forged, new IllegalArgumentException("in\033ner\r" + forged));

    assertThat(logged("failed", thrown).lines()).first().isEqualTo(HEAD + "failed");
    assertThat(logged("failed", thrown).lines().skip(1))
        .contains("java.lang.IllegalStateException: outer | " + forged)
        .contains("Caused by: java.lang.IllegalArgumentException: in?ner | " + forged)
        .anyMatch(line -> line.startsWith("\tat " + LogLayoutTest.class.getName()))
        .noneMatch(line -> line.startsWith("2026"));
  }
}
