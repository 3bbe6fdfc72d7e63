package io.sluice.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Commands that take every setting of a server as a flag, and the settings that they are given. */
public final class Commands {
  private Commands() {}

  /**
   * A command with a flag for each setting. Its action gets what was parsed, mistakes included: {@link
   * #config(ParseResult, Map)} reads it. Name and words of the help are the caller's to set.
   */
  public static CommandSpec of(ToIntFunction<ParseResult> action) {
    CommandSpec[] itself = new CommandSpec[1];
    Callable<Integer> call = () -> action.applyAsInt(itself[0].commandLine().getParseResult());
    CommandSpec command = Flags.addTo(CommandSpec.wrapWithoutInspection(call));
    itself[0] = command;
    return command;
  }

  /** Reads flags and an environment. Throws {@link ConfigException} with all that is wrong. */
  public static Config config(List<String> flags, Map<String, String> variables) {
    CommandLine command = new CommandLine(of(parsed -> 0));
    command.setExpandAtFiles(false);
    return config(command.parseArgs(flags.toArray(String[]::new)), variables);
  }

  /** Reads parsed flags and an environment. Throws {@link ConfigException} with all that is wrong. */
  public static Config config(ParseResult parsed, Map<String, String> variables) {
    List<String> problems = new ArrayList<>();
    List<Given> flags = Flags.read(parsed, problems);
    List<Given> environment = Environment.read(variables, problems);
    List<Given> file = new Values(problems)
        .with(environment).with(flags).list(Key.CONFIG, Path::of).stream()
            .findFirst()
            .map(path -> ConfigFile.read(path, problems))
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
    if (!problems.isEmpty()) {
      throw new ConfigException(problems.stream().distinct().toList());
    }
    return config;
  }
}
