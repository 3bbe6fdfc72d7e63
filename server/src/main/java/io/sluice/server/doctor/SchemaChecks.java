package io.sluice.server.doctor;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.doctor.Fault.Topic;
import io.sluice.server.secret.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tables: rights to them, their version, and the keys that are in them or that they need. */
final class SchemaChecks {
  /** What the user may do with the schema. */
  private record Rights(
      String user, boolean there, boolean mayUse, String missing, boolean migrated) {}

  private SchemaChecks() {}

  private static Rights rightsOf(Patient patient, Database database) {
    String schema = patient.config().postgres().schema();
    return database.run(connection -> {
      try (Call call = database.call(connection, "rights")) {
        return call.set("schema", schema).one(row -> rights(row, schema));
      }
    });
  }

  private static Rights rights(ResultSet row, String schema) throws SQLException {
    boolean there = row.getBoolean("there");
    String missing = "";
    if (!there && !row.getBoolean("may_make_schema")) {
      missing = "make the schema '" + schema + "'";
    } else if (there && !(row.getBoolean("may_use") && row.getBoolean("may_create"))) {
      missing = "make tables in the schema '" + schema + "'";
    } else if (row.getInt("foreign_tables") > 0) {
      missing = "change " + row.getInt("foreign_tables") + " tables of the schema '" + schema
          + "', which others own";
    }
    return new Rights(
        row.getString("name"),
        there,
        row.getBoolean("may_use"),
        missing,
        row.getBoolean("migrated"));
  }

  static List<Finding> rights(Patient patient, Database database) {
    Rights rights = rightsOf(patient, database);
    return List.of(
        rights.missing.isEmpty()
            ? Topic.SCHEMA.ok("The user " + rights.user + " has the rights that it needs.")
            : Fault.RIGHTS_MISSING.found(rights.user, rights.missing));
  }

  /** True when the tables can be looked into; the next ones have nothing to say before that. */
  private static boolean isOpen(Patient patient, Database database) {
    Rights rights = rightsOf(patient, database);
    return rights.migrated && rights.mayUse && rights.missing.isEmpty();
  }

  static List<Finding> versions(Patient patient, Database database) {
    if (!isOpen(patient, database)) {
      return List.of(Topic.SCHEMA.skipped("There are no tables that can be looked into yet."));
    }
    List<Finding> wrong = new ArrayList<>();
    rows(database, "schema-versions", row -> {
      String part = row.getString("part");
      int version = row.getInt("version");
      int known = patient.needs().migrations().getOrDefault(part, version);
      if (version > known) {
        wrong.add(Fault.SCHEMA_NEWER.found(part, version, known));
      } else if (version < known) {
        wrong.add(Fault.SCHEMA_OLDER.found(part, version, known));
      }
      return part;
    });
    return wrong.isEmpty()
        ? List.of(Topic.SCHEMA.ok("Its tables are of this version."))
        : List.copyOf(wrong);
  }

  private static <T> List<T> rows(Database database, String query, Call.Row<T> reading) {
    return database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        return call.list(reading);
      }
    });
  }

  static List<Finding> masterKey(Patient patient, Database database) {
    if (!isOpen(patient, database)) {
      return List.of();
    }
    List<String> used = rows(database, "master-keys", row -> row.getString("master"));
    Optional<String> given = given(patient);
    if (used.isEmpty()) {
      return List.of(Topic.KEYS.ok("Nothing is encrypted yet."));
    }
    if (given.isEmpty()) {
      return List.of(Fault.MASTER_KEY_MISSING.found(String.join(", ", used)));
    }
    // A master key shows itself by the names of its parts.
    String names = MasterKey.parse("master key", given.get()).toString();
    return List.of(
        Set.of(names.split(", ", -1)).containsAll(used)
            ? Topic.KEYS.ok("The master key is the one that the database needs.")
            : Fault.MASTER_KEY_OTHER.found(String.join(", ", used), names));
  }

  private static Optional<String> given(Patient patient) {
    String key = patient.config().trust().masterKey();
    Path file = patient.config().running().data().resolve("master.key");
    try {
      return key != null || !Files.exists(file)
          ? Optional.ofNullable(key)
          : Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Finding> apiKeys(Patient patient, Database database) {
    if (!isOpen(patient, database)) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    keys(database, "expired-keys").map(Fault.API_KEYS_EXPIRED::found).ifPresent(findings::add);
    keys(database, "expiring-keys").map(Fault.API_KEYS_SOON::found).ifPresent(findings::add);
    return findings.isEmpty()
        ? List.of(Topic.KEYS.ok("No API key is about to expire."))
        : List.copyOf(findings);
  }

  private static Optional<String> keys(Database database, String query) {
    List<String> names = rows(
        database,
        query,
        row -> "'" + row.getString("name") + "' of tenant " + row.getString("tenant"));
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
  }
}
