package io.sluice.server;

import io.sluice.cli.ClientCommands;
import io.sluice.cli.Console;
import io.sluice.cli.Group;
import io.sluice.cli.Program;
import java.util.List;

/** The program {@code sluice}, with all its commands. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(program(Console.system()).run(List.of(arguments)));
  }

  /** Every command there is: one line each. */
  static Program program(Console console) {
    Program program = new Program(console, Version.current())
        .add(Group.RUN, "server", () -> ServerCommand.of(console))
        .add(Group.RUN, new DemoCommand(console))
        .add(Group.CARE, "config", () -> ConfigCommand.of(console))
        .add(Group.CARE, "doctor", () -> DoctorCommand.of(console))
        .add(Group.CARE, "backup", () -> BackupCommand.of(console))
        .add(Group.CARE, "restore", () -> RestoreCommand.of(console));
    return ClientCommands.addTo(program, console);
  }
}
