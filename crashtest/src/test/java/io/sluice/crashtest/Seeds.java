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
    String asked = System.getProperty("sluice.seed", "");
    return asked.isEmpty() ? kept(tier) : List.of(Long.parseLong(asked));
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
