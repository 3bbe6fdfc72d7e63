package io.sluice.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a server was told: the value in force of each setting, where it came from, and what is wrong. */
public final class Settings {
  private final Values values;
  private final Config config;
  private final List<String> problems;
  private final List<String> warnings;

  private Settings(Values values, Config config, List<String> problems, List<String> warnings) {
    this.values = values;
    this.config = config;
    this.problems = problems;
    this.warnings = warnings;
  }

  /** Puts flags over variables over the file over the profile. */
  static Settings of(List<Given> flags, Map<String, String> variables, List<String> problems) {
    List<String> warnings = new ArrayList<>();
    List<Given> environment = Environment.read(variables, problems, warnings);
    List<Given> file = new Values(problems)
        .with(environment).with(flags).list(Key.CONFIG, Path::of).stream()
            .findFirst()
            .map(path -> ConfigFile.read(path, problems, warnings))
            .orElse(List.of());
    // Read for the profile alone first: what that brings stands below all three.
    Optional<Profile> profile = new Values(problems)
        .with(file)
        .with(environment)
        .with(flags)
        .choice(Key.PROFILE, Profile.class);
    Values values = new Values(problems)
        .with(profile.map(Profile::given).orElse(List.of()))
        .with(file)
        .with(environment)
        .with(flags);
    Config config =
        new Reader(values, profile.filter(p -> p == Profile.PRODUCTION).isPresent()).read();
    return new Settings(
        values, config, problems.stream().distinct().toList(), List.copyOf(warnings));
  }

  /** The whole configuration. Throws {@link ConfigException} with all that is wrong with it. */
  public Config config() {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config;
  }

  /** Everything that is wrong, in words; nothing where all is right. */
  public List<String> problems() {
    return problems;
  }

  /** What is not as it should be, in words, though nothing keeps the server from starting with it. */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * The configuration as far as it could be read, for looking at more of it. What is wrong has some
   * value there: ask {@link #isRight} first.
   */
  public Config read() {
    return config;
  }

  /** True when nothing is wrong with these settings, by the names that the config file has for them. */
  public boolean isRight(String... ids) {
    return Arrays.stream(ids).flatMap(id -> Key.of(id).stream()).noneMatch(values::wrong);
  }

  /** True when somebody gave a value for the setting, so that it is not the default. */
  public boolean isGiven(String id) {
    return Key.of(id).flatMap(values::given).isPresent();
  }

  /** A setting with its value, secrets hidden, and where that came from. */
  public record Line(String setting, @Nullable String value, String source, String place) {}

  /** Every setting, in the order of the help. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (Key key : Key.values()) {
      lines.add(values
          .given(key)
          .map(given -> new Line(
              key.id(),
              shown(key, String.join(", ", given.values())),
              given.source().word(),
              given.place()))
          .orElseGet(() -> new Line(key.id(), key.standard, "default", "default")));
    }
    return lines;
  }

  /** Of an address, all but its parameters is shown: a password may stand there. */
  private static String shown(Key key, String value) {
    if (!key.isSecret()) {
      return value;
    }
    boolean address = key == Key.DATABASE_URL && value.startsWith("jdbc:");
    return address ? value.replaceFirst("\\?.*", "?***") : "***";
  }

  /** The same for a person to read. */
  public String table() {
    List<Line> lines = lines();
    int names = lines.stream().mapToInt(line -> line.setting().length()).max().orElse(0);
    int widest = lines.stream().mapToInt(line -> words(line).length()).max().orElse(0);
    StringBuilder table = new StringBuilder();
    for (Line line : lines) {
      table.append(("%-" + names + "s  %-" + widest + "s  %s")
          .formatted(line.setting(), words(line), line.place()));
      table.append('\n');
    }
    return table.toString();
  }

  private static String words(Line line) {
    return line.value() != null
        ? line.value()
        : Key.of(line.setting())
            .map(Key::otherwise)
            .filter(words -> !words.isEmpty())
            .orElse("-");
  }
}
