package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Exit;
import io.sluice.postgres.Migrator;
import io.sluice.server.config.Commands;
import io.sluice.server.config.Settings;
import io.sluice.server.doctor.Doctor;
import io.sluice.server.doctor.Finding;
import io.sluice.server.doctor.Patient;
import io.sluice.server.rest.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code sluice doctor}: what is wrong with a set-up, and how to mend it. */
final class DoctorCommand {
  private static final String JSON = "--json";

  private final Console console;

  private DoctorCommand(Console console) {
    this.console = console;
  }

  static CommandSpec of(Console console) {
    CommandSpec command = Commands.of(new DoctorCommand(console)::run).name("doctor");
    command.addOption(OptionSpec.builder(JSON)
        .type(boolean.class)
        .arity("0")
        .description("as JSON, for programs")
        .build());
    command
        .usageMessage()
        .customSynopsis("sluice doctor [--json] [FLAG OF THE SERVER]...")
        .description(
            "Looks for what is wrong with a set-up, and says how to mend it.",
            "Give the flags that the server gets; it may run meanwhile. Ends with 1 where there is a"
                + " problem.");
    return command;
  }

  /** What a program is told. */
  private record Row(
      String level, String topic, String says, @Nullable String mend) {}

  private record Report(boolean healthy, List<Row> findings) {}

  private int run(ParseResult parsed) {
    Logging.off();
    Settings settings = Commands.settings(parsed, console.variables());
    List<Finding> findings = Doctor.examine(
        new Patient(settings, Preflight.ofSettings(settings), needs(), console.pace()));
    boolean healthy = findings.stream().noneMatch(Finding.Problem.class::isInstance);
    if (parsed.hasMatchedOption(JSON)) {
      console
          .out()
          .println(new Json()
              .text(new Report(
                  healthy,
                  findings.stream()
                      .map(f -> new Row(f.level(), f.topic(), f.says(), f.mend()))
                      .toList())));
    } else {
      findings.forEach(finding -> console.out().println(finding.line()));
    }
    return (healthy ? Exit.OK : Exit.FAILED).code();
  }

  static Patient.Needs needs() {
    return new Patient.Needs(
        Map.of(Migrator.STORE, Migrator.newest(), ServerDatabase.PART, ServerDatabase.newest()),
        ServerDatabase.CONNECTIONS_OF_A_PROCESS);
  }
}
