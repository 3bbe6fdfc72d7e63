package io.sluice.crashtest;

import io.sluice.BatchCounts;
import io.sluice.JacksonCodec;
import io.sluice.JobContext;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Jobs that are not over, as the tables hold them, past the store's own code. */
final class OpenJobs {
  private static final String COUNT = """
      select count(*) from (
        select id from sluice.ready union all select id from sluice.later union all select id from sluice.running
        limit 500) o
      where o.id <> ?
      """;
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int TRIES = 500;

  private OpenJobs() {}

  /** How many there are without this one, counting to about five hundred. */
  static long count(Connection connection, UUID butNot) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
      statement.setObject(1, butNot);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  /** What the callback of a batch finds: the counts it is given, and what is committed at this moment. */
  static Entry.Tally seenBy(Member self, UUID callback, JobContext context)
      throws InterruptedException {
    for (int left = TRIES; ; left--) {
      try (Connection connection = DriverManager.getConnection(self.url())) {
        long open = count(connection, callback);
        String json = String.valueOf(context.results().getFirst().json());
        BatchCounts counts = new JacksonCodec().decode(json, BatchCounts.class);
        return new Entry.Tally(Clock.now(), self.who(), open, counts);
      } catch (SQLException | SluiceException e) {
        if (left == 0) {
          throw new IllegalStateException("the callback saw nothing of its batch", e);
        }
        Clock.rest(PAUSE); // its connections were cut
      }
    }
  }
}
