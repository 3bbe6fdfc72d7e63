package io.sluice.server;

import io.sluice.server.config.Commands;
import io.sluice.server.config.Settings;
import io.sluice.server.doctor.Patient;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Set-ups as {@code sluice doctor} gets them from its flags. */
public final class Patients {
  private Patients() {}

  public static Patient of(String... flags) {
    Settings settings = Commands.settings(List.of(flags), Map.of());
    return new Patient(settings, Preflight.ofSettings(settings), needs(), InstantSource.system());
  }

  /** Those of a server, on a machine that lets a process open as many files as it likes. */
  private static Patient.Needs needs() {
    Patient.Needs needs = DoctorCommand.needs();
    return new Patient.Needs(
        needs.java(),
        needs.migrations(),
        needs.connections(),
        needs.freeBytes(),
        needs.openFor(),
        OptionalLong.of(1_000_000));
  }

  /** The flags of the database that tests share. */
  public static List<String> database(String schema) {
    ServerSettings.DatabaseSettings database = TestServer.database(schema);
    return List.of(
        "--database-url", database.url(),
        "--database-user", String.valueOf(database.user()),
        "--database-password", String.valueOf(database.password()),
        "--database-schema", schema);
  }
}
