package io.sluice.server.config;

import io.sluice.cli.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings among the environment variables. */
final class Environment {
  /** Those of the launcher and of the client commands. */
  private static final Set<String> OTHERS =
      Set.of("SLUICE_JAVA_OPTS", "SLUICE_SERVER", "SLUICE_KEY", "SLUICE_TENANT", "SLUICE_CA");

  private Environment() {}

  static List<Given> read(Map<String, String> variables, List<String> problems) {
    List<Given> given = new ArrayList<>();
    new TreeMap<>(variables).forEach((name, value) -> {
      if (Key.isOurs(name) && !OTHERS.contains(name)) {
        Key.ofVariable(name)
            .ifPresentOrElse(
                key -> given.add(new Given(key, values(key, value), Given.Source.VARIABLE, name)),
                () -> problems.add(unknown(name)));
      }
    });
    return given;
  }

  private static List<String> values(Key key, String value) {
    return key.isList() ? List.of(value.split("[,\\s]+")) : List.of(value);
  }

  private static String unknown(String name) {
    Set<String> known = Stream.concat(
            Arrays.stream(Key.values()).map(Key::variable), OTHERS.stream())
        .collect(Collectors.toSet());
    return name + " is not a setting" + Spelling.hint(name, known);
  }
}
