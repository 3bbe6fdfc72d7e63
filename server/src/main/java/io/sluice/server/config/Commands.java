package io.sluice.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
   * #settings(ParseResult, Map)} reads it. Name and words of the help are the caller's to set.
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
    return settings(flags, variables).config();
  }

  /** Reads flags and an environment, mistakes included. */
  public static Settings settings(List<String> flags, Map<String, String> variables) {
    CommandLine command = new CommandLine(of(parsed -> 0));
    command.setExpandAtFiles(false);
    return settings(command.parseArgs(flags.toArray(String[]::new)), variables);
  }

  /** Reads parsed flags and an environment, mistakes included. */
  public static Settings settings(ParseResult parsed, Map<String, String> variables) {
    List<String> problems = new ArrayList<>();
    return Settings.of(Flags.read(parsed, problems), variables, problems);
  }
}
