package io.sluice.server.config;

import java.util.List;

/** A value that somebody gave, and where: {@code origin} is what an error calls it. */
record Given(Key key, List<String> values, String origin) {
  Given {
    values = List.copyOf(values);
  }

  String last() {
    return values.getLast();
  }
}
