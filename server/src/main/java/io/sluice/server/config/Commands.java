package io.sluice.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What somebody asks of {@code sluice}: a text to show, or a server with these settings. */
public sealed interface Commands {
  /** Help or version. */
  record Show(String text) implements Commands {}

  record Serve(Config config) implements Commands {}

  /**
   * Reads a command line and an environment. Throws {@link ConfigException} with all that is wrong.
   */
  static Commands read(List<String> arguments, Map<String, String> variables, String version) {
    CommandLine sluice = new CommandLine(root());
    sluice.setExpandAtFiles(false);
    ParseResult parsed = sluice.parseArgs(arguments.toArray(String[]::new));
    if (parsed.isVersionHelpRequested()) {
      return new Show("sluice " + version + System.lineSeparator());
    }
    if (parsed.isUsageHelpRequested()) {
      return new Show(sluice.getUsageMessage());
    }
    if (!parsed.hasSubcommand()) {
      if (!parsed.unmatched().isEmpty()) {
        throw new ConfigException(
            List.of("'" + parsed.unmatched().getFirst() + "' is not a command; there is: server"));
      }
      return new Show(sluice.getUsageMessage());
    }
    if (parsed.subcommand().isUsageHelpRequested()) {
      return new Show(parsed.subcommand().commandSpec().commandLine().getUsageMessage());
    }
    return new Serve(config(parsed.subcommand(), variables));
  }

  private static CommandSpec root() {
    CommandSpec root = CommandSpec.create().name("sluice");
    root.usageMessage()
        .description("Keeps jobs safe and gets them done.")
        .footer("", "sluice server --help shows its flags.");
    root.parser().collectErrors(true).unmatchedArgumentsAllowed(true);
    root.addOption(OptionSpec.builder("-h", Flags.HELP)
        .usageHelp(true)
        .description("shows this")
        .build());
    root.addOption(OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("shows the version")
        .build());
    root.addSubcommand("server", Flags.command());
    return root;
  }

  private static Config config(ParseResult parsed, Map<String, String> variables) {
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
