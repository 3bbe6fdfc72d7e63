package io.sluice.postgres;

import io.sluice.Defaults;
import io.sluice.LogLine;
import io.sluice.store.ClaimRef;
import java.util.List;
import java.util.UUID;

/** What a handler notes about a job while it holds it: that it started, how far it is, lines of text. */
final class Notes {
  private final Database database;

  Notes(Database database) {
    this.database = database;
  }

  boolean started(ClaimRef ref, boolean alone) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "started")) {
        return call.set("id", ref.job())
                .set("turn", ref.turn())
                .set("worker", ref.worker())
                .set("alone", alone)
                .update()
            == 1;
      }
    });
  }

  boolean progress(ClaimRef ref, int percent, String message) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "progress")) {
        return call.set("id", ref.job())
                .set("turn", ref.turn())
                .set("worker", ref.worker())
                .set("percent", percent)
                .set("message", message)
                .update()
            == 1;
      }
    });
  }

  boolean log(ClaimRef ref, List<String> lines) {
    List<String> kept = lines.size() <= Defaults.MAX_LOG_LINES
        ? lines
        : lines.subList(lines.size() - Defaults.MAX_LOG_LINES, lines.size());
    return database.transact(connection -> {
      boolean held;
      try (Call call = database.call(connection, "log")) {
        held = !call.set("id", ref.job())
            .set("turn", ref.turn())
            .set("worker", ref.worker())
            .set("lines", "text", kept.toArray(String[]::new))
            .list(row -> true)
            .isEmpty();
      }
      if (held) {
        try (Call call = database.call(connection, "trim-log")) {
          call.set("id", ref.job()).set("keep", Defaults.MAX_LOG_LINES).update();
        }
      }
      return held;
    });
  }

  List<LogLine> logs(UUID job) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "logs")) {
        return call.set("id", job)
            .list(row ->
                new LogLine(Times.read(row, "at"), row.getInt("attempt"), row.getString("line")));
      }
    });
  }
}
