package io.sluice.crashtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The seeds to run: the one that was asked for, or those kept for the tier. */
final class Seeds {
  private Seeds() {}

  static List<Long> of(String tier) {
    return of(tier, System.getProperty("sluice.seed", ""));
  }

  static List<Long> of(String tier, String asked) {
    if (!asked.isEmpty()) {
      return List.of(number(asked));
    }
    List<Long> kept = kept(tier);
    if (kept.isEmpty()) {
      throw new IllegalArgumentException(
          "no seed is kept for the tier " + tier + ": give one with -Dsluice.seed=NUMBER");
    }
    return kept;
  }

  private static long number(String asked) {
    try {
      return Long.parseLong(asked);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("sluice.seed must be a whole number, was " + asked, e);
    }
  }

  private static List<Long> kept(String tier) {
    try (InputStream file = Seeds.class.getResourceAsStream("/seeds.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(tier + " "))
          .map(line -> Long.parseLong(line.split(" ", 3)[1]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
