package io.sluice.server.config;

import java.util.List;
import java.util.Locale;

/** A value that somebody gave, and where. */
record Given(Key key, List<String> values, Source source, String place) {
  /** Where values come from, in the order in which they go before each other. */
  enum Source {
    FLAG,
    VARIABLE,
    FILE,
    PROFILE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Given {
    values = List.copyOf(values);
  }

  String last() {
    return values.getLast();
  }

  /** True when nobody else may see the values; an address may be seen that has no password in it. */
  boolean isSecret() {
    return key.isSecret()
        && (!key.isAddress() || values.stream().anyMatch(value -> value.contains("password=")));
  }

  /** What an error calls the setting. */
  String origin() {
    return switch (source) {
      case FLAG, VARIABLE -> place;
      case FILE, PROFILE -> key.id() + " (" + place + ")";
    };
  }
}
