package io.sluice.server;

import io.sluice.server.config.Commands;
import io.sluice.server.config.Settings;
import io.sluice.server.doctor.Patient;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Set-ups as {@code sluice doctor} gets them from its flags. */
public final class Patients {
  private Patients() {}

  public static Patient of(String... flags) {
    Settings settings = Commands.settings(List.of(flags), Map.of());
    return new Patient(
        settings, Preflight.ofSettings(settings), DoctorCommand.needs(), InstantSource.system());
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
