package io.sluice.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A console for tests: what is typed is given, what is printed is kept, time stands still. */
final class Desk {
  static final Instant NOW = Instant.parse("2026-01-31T10:00:00Z");
  static final Screen NARROW = new Screen(true, true, 60);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  final Console console;

  Desk(String typed, Screen screen, Map<String, String> variables) {
    console = new Console(
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        variables,
        screen,
        pace());
  }

  Desk(String typed) {
    this(typed, Screen.NONE, Map.of());
  }

  static Pace pace() {
    return new Pace() {
      @Override
      public Instant instant() {
        return NOW;
      }

      @Override
      public boolean pause(Duration time) {
        return false;
      }
    };
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
