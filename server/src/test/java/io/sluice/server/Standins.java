package io.sluice.server;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.TestPorts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What stands in a test for the ports and hosts that a page of the docs names. */
record Standins(Map<String, String> words) {
  private static final List<String> PORTS = List.of("7070", "7071", "7443");

  /** None: the page as it is. */
  static Standins none() {
    return new Standins(Map.of());
  }

  /** Free ports, and this database. */
  static Standins with(EmbeddedPostgres postgres) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String port : PORTS) {
      words.put(port, String.valueOf(TestPorts.free()));
    }
    words.put("db.internal:5432", "127.0.0.1:" + postgres.port());
    return new Standins(words);
  }

  /** All in one go: a free port may look like another that the page names. */
  String in(String text) {
    if (words.isEmpty()) {
      return text;
    }
    String any = words.keySet().stream().map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile(any)
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(words.get(found.group())));
  }
}
