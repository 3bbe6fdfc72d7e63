package io.sluice.server.config;

import io.sluice.cli.Spelling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings among the environment variables. Unlike an unknown flag, an unknown variable is no error:
 * the environment has other authors than the person who starts the server.
 */
final class Environment {
  /** Those of the launcher and of the client commands. */
  private static final Set<String> OTHERS = Set.of(
      "SLUICE_JAVA_OPTS",
      "SLUICE_SERVER",
      "SLUICE_KEY",
      "SLUICE_KEY_FILE",
      "SLUICE_TENANT",
      "SLUICE_CA");

  /** Names of the variables that Kubernetes sets in every pod, for a Service whose name begins so. */
  private static final Pattern SERVICE = Pattern.compile(
      ".*_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

  /** The value of such a variable whose name ends in _PORT. */
  private static final Pattern LINK = Pattern.compile("(tcp|udp|sctp)://.*");

  private final List<String> problems;
  private final List<String> warnings;
  private final List<Given> given = new ArrayList<>();
  private final Set<String> ofKubernetes = new TreeSet<>();

  private Environment(List<String> problems, List<String> warnings) {
    this.problems = problems;
    this.warnings = warnings;
  }

  static List<Given> read(
      Map<String, String> variables, List<String> problems, List<String> warnings) {
    Environment environment = new Environment(problems, warnings);
    new TreeMap<>(variables).forEach((name, value) -> {
      if (Key.isOurs(name) && !OTHERS.contains(name)) {
        environment.take(name, value, variables);
      }
    });
    if (!environment.ofKubernetes.isEmpty()) {
      warnings.add(String.join(", ", environment.ofKubernetes)
          + " are set by Kubernetes for a Service of that name, and ignored;"
          + " enableServiceLinks: false in the pod leaves them out");
    }
    return environment.given;
  }

  private void take(String name, String value, Map<String, String> variables) {
    if (isOfKubernetes(name, value)) {
      ofKubernetes.add(name);
      return;
    }
    Optional<Key> key = Key.ofVariable(name);
    Optional<Key> ofFile = ofFile(name);
    if (key.isPresent()) {
      given.add(new Given(key.get(), values(key.get(), value), Given.Source.VARIABLE, name));
    } else if (ofFile.isPresent()) {
      file(ofFile.get(), name, value, variables);
    } else {
      warnings.add(unknown(name));
    }
  }

  private static boolean isOfKubernetes(String name, String value) {
    return SERVICE.matcher(name).matches()
        || (name.endsWith("_PORT") && LINK.matcher(value).matches());
  }

  private static Optional<Key> ofFile(String name) {
    return Arrays.stream(Key.values())
        .filter(key -> key.fileVariable().filter(name::equals).isPresent())
        .findFirst();
  }

  private void file(Key key, String name, String value, Map<String, String> variables) {
    if (variables.containsKey(key.variable())) {
      problems.add(key.variable() + " and " + name + " are both given: give one");
      return;
    }
    try {
      String text = Files.readString(Path.of(value), StandardCharsets.UTF_8).strip();
      given.add(new Given(key, List.of(text), Given.Source.VARIABLE, name));
    } catch (IOException | InvalidPathException e) {
      problems.add(name + " names the file " + value + ", which cannot be read");
    }
  }

  private static List<String> values(Key key, String value) {
    return key.isList() ? List.of(value.split("[,\\s]+")) : List.of(value);
  }

  private static String unknown(String name) {
    Set<String> known = Stream.concat(
            Arrays.stream(Key.values())
                .flatMap(
                    key -> Stream.concat(Stream.of(key.variable()), key.fileVariable().stream())),
            OTHERS.stream())
        .collect(Collectors.toSet());
    return name + " is not a setting" + Spelling.hint(name, known);
  }
}
