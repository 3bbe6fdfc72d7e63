package io.sluice.server.rest;

import io.sluice.Defaults;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The query of a request: typed, and refusing what the route does not know. */
public final class Query {
  private static final Set<String> PAGING = Set.of("limit", "cursor");

  private final Map<String, List<String>> values;

  Query(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Refuses every parameter but these, those of paging where named, and prefixes that end in a dot. One that is
   * known but empty is refused too: it must never mean the same as one that is not there.
   */
  public Query only(String... known) {
    Set<String> names = Set.of(known);
    values.keySet().stream().filter(name -> !isKnown(name, names)).findFirst().ifPresent(name -> {
      throw new Invalid(name, "is not a parameter here; " + listed(known));
    });
    Checks checks = new Checks();
    values.forEach((name, given) -> check(checks, name, given));
    checks.done();
    return this;
  }

  private static boolean isKnown(String name, Set<String> names) {
    String prefix = prefix(name);
    return prefix.equals(name)
        ? names.contains(name) && !name.endsWith(".")
        : names.contains(name) || names.contains(prefix);
  }

  private static void check(Checks checks, String name, List<String> given) {
    checks
        .require(
            !given.isEmpty() && given.stream().noneMatch(String::isEmpty),
            name,
            "must not be empty: give it a value, or leave it out")
        .require(
            StorableText.isPlain(name) && given.stream().allMatch(StorableText::isPlain),
            name,
            StorableText.PLAIN);
  }

  /** True when nothing is asked. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  private static String listed(String... known) {
    return known.length == 0
        ? "this call takes none"
        : Arrays.stream(known)
            .sorted()
            .map(name -> name.endsWith(".") ? name + "<field>" : name)
            .collect(Collectors.joining(", ", "known are ", ""));
  }

  /** As {@link #only}, with {@code limit} and {@code cursor}. */
  public Query onlyPaged(String... known) {
    String[] all = Arrays.copyOf(known, known.length + PAGING.size());
    int at = known.length;
    for (String name : PAGING) {
      all[at++] = name;
    }
    return only(all);
  }

  private static String prefix(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot + 1);
  }

  public Optional<String> text(String name) {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      throw new Invalid(name, "is given " + given.size() + " times, once would be right");
    }
    return given.stream().findFirst();
  }

  /** The values under a prefix such as {@code metadata.}, by what follows it. */
  public Map<String, String> under(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    values.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .forEach(name -> text(name).ifPresent(v -> found.put(name.substring(prefix.length()), v)));
    return found;
  }

  public boolean flag(String name) {
    return switch (text(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new Invalid(name, "must be true or false");
    };
  }

  public Optional<Instant> time(String name) {
    return text(name).map(value -> {
      try {
        return TimeTexts.time(value);
      } catch (DateTimeException e) {
        throw new Invalid(
            name, "must be a time such as 2026-01-31T12:00:00Z, in the years 1 to 9999");
      }
    });
  }

  public Optional<Duration> duration(String name) {
    return text(name).map(value -> {
      try {
        return Durations.parse(value);
      } catch (IllegalArgumentException e) {
        throw new Invalid(name, "must be a duration such as 250ms, 30s, 5m or 24h");
      }
    });
  }

  public int limit() {
    String text = text("limit").orElse(String.valueOf(Defaults.PAGE));
    int limit = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > Defaults.LARGEST_PAGE) {
      throw new Invalid("limit", "must be 1 to " + Defaults.LARGEST_PAGE);
    }
    return limit;
  }

  public Optional<String> cursor() {
    return text("cursor");
  }
}
