package io.sluice.server.config;

import io.sluice.SluiceException;
import io.sluice.server.rest.Durations;
import io.sluice.server.rest.Problem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The value in force of every setting, by its type. What is wrong is noted, with the place where it was
 * given, and something stands in so that reading can go on to the next mistake.
 */
final class Values {
  private final Map<Key, Given> inForce = new EnumMap<>(Key.class);
  private final Set<Key> wrong = EnumSet.noneOf(Key.class);
  private final List<String> problems;

  Values(List<String> problems) {
    this.problems = problems;
  }

  /** Puts these over what was there. */
  Values with(List<Given> given) {
    given.forEach(one -> inForce.put(one.key(), one));
    return this;
  }

  boolean has(Key key) {
    return inForce.containsKey(key);
  }

  /** What an error calls the setting: the place where it was given. */
  String origin(Key key) {
    Given given = inForce.get(key);
    return given == null ? key.id() : given.origin();
  }

  /** What was given for the setting, if anybody gave it. */
  Optional<Given> given(Key key) {
    return Optional.ofNullable(inForce.get(key));
  }

  /** True when a problem was noted for any of these. */
  boolean wrong(Key... keys) {
    return Arrays.stream(keys).anyMatch(wrong::contains);
  }

  void problem(Key key, String words) {
    wrong.add(key);
    problems.add(origin(key) + " " + words);
  }

  @Nullable
  String text(Key key) {
    Given given = inForce.get(key);
    if (given != null && given.last().isEmpty()) {
      problem(key, "must not be empty");
    }
    return given == null ? key.standard : given.last();
  }

  /** The text of a setting that has a default, or nothing. */
  String textOrNothing(Key key) {
    String text = text(key);
    return text == null ? "" : text;
  }

  /** The values of a list, each read by itself. */
  <T> List<T> list(Key key, Function<String, T> reading) {
    Given given = inForce.get(key);
    if (given == null) {
      return List.of();
    }
    return given.values().stream()
        .filter(value -> !value.isBlank())
        .flatMap(value -> read(key, value.strip(), reading).stream())
        .toList();
  }

  boolean flag(Key key) {
    return switch (textOrNothing(key).toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> {
        problem(key, "must be true or false" + was(key));
        yield false;
      }
    };
  }

  long number(Key key, long least, long most) {
    Optional<Long> read = read(key, textOrNothing(key), Long::valueOf);
    if (read.isPresent() && read.get() >= least && read.get() <= most) {
      return read.get();
    }
    problem(key, "must be a number from " + least + " to " + most + was(key));
    return least;
  }

  double share(Key key) {
    String text = textOrNothing(key);
    if (text.matches("0(\\.[0-9]+)?|1(\\.0+)?")) {
      return Double.parseDouble(text);
    }
    problem(key, "must be a share from 0 to 1" + was(key));
    return 0;
  }

  Duration duration(Key key, Duration least) {
    try {
      Duration duration = Durations.parse(textOrNothing(key));
      if (duration.compareTo(least) < 0) {
        problem(key, "must be " + Durations.format(least) + " or more" + was(key));
      }
      return duration;
    } catch (IllegalArgumentException e) {
      problem(key, "must be a duration such as 500ms, 30s or 5m" + was(key));
      return least;
    }
  }

  <E extends Enum<E>> Optional<E> choice(Key key, Class<E> type) {
    String text = text(key);
    if (text == null) {
      return Optional.empty();
    }
    Optional<E> found = Arrays.stream(type.getEnumConstants())
        .filter(each -> word(each).equals(text))
        .findFirst();
    if (found.isEmpty()) {
      String words = Arrays.stream(type.getEnumConstants())
          .map(Values::word)
          .collect(Collectors.joining(", "));
      problem(key, "must be one of " + words + was(key));
    }
    return found;
  }

  @Nullable
  Path file(Key key) {
    String text = text(key);
    if (text == null || text.isEmpty()) {
      return null;
    }
    Path file = path(key, text);
    if (file != null && !Files.isReadable(file)) {
      problem(
          key,
          "must be a file that can be read; " + file
              + (Files.exists(file) ? " cannot" : " does not exist"));
    }
    return file;
  }

  @Nullable
  Path path(Key key, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      problem(key, "must be a path" + was(key));
      return null;
    }
  }

  /** Lets another class judge the value; it throws when it does not like it. */
  void check(Key key, Runnable judging) {
    try {
      judging.run();
    } catch (SluiceException e) {
      problem(key, Problem.detail(e).strip());
    }
  }

  private <T> Optional<T> read(Key key, String text, Function<String, T> reading) {
    try {
      return Optional.of(reading.apply(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    } catch (SluiceException e) {
      problem(key, Problem.detail(e).strip());
      return Optional.empty();
    }
  }

  /** What was given instead, unless that is a secret. */
  String was(Key key) {
    Given given = inForce.get(key);
    return given == null || key.isSecret() ? "" : ", was '" + given.last() + "'";
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
