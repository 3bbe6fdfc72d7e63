package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Lets statements commit when their clients have been cut off and have looked what became of them. Those that
 * write to one table are held up by a lock on it, or commits by the proxy, for less than a lease.
 */
final class LateCommits {
  /** Which table is locked, one after the other; with none, commits are held up on their way. */
  private static final List<String> TABLES =
      List.of("running", "", "running", "ready", "worker", "running", "later", "job", "batch");

  private static final List<String> OF_PRODUCER = List.of("ready", "later", "job", "batch");

  /** What a client does as soon as it was cut off is late too. */
  private static final int TIMES = 4;

  private static final Duration BETWEEN = Duration.ofMillis(60);

  private static final Duration WAIT = Duration.ofMillis(250);
  private static final Duration AHEAD = Duration.ofMillis(30);
  private static final Duration COMMITS = Duration.ofSeconds(1);

  private final Server server;
  private final Crew crew;

  LateCommits(Server server, Crew crew) {
    this.server = server;
    this.crew = crew;
  }

  /** Makes some statements late by about so much; which ones, goes by the number. */
  void make(int number, Duration late) throws InterruptedException {
    String table = TABLES.get(number % TABLES.size());
    if (table.isEmpty()) {
      crew.proxies().forEach(proxy -> proxy.commitLate(LateCommits::write, 3, late));
      Clock.rest(COMMITS);
      crew.proxies().forEach(Proxy::forward);
    } else {
      lock(table, late);
    }
  }

  private static boolean write(List<String> statements) {
    return statements.stream()
        .map(text -> text.toLowerCase(Locale.ROOT))
        .anyMatch(text -> text.contains("insert into")
            || text.contains("delete from")
            || text.contains("update "));
  }

  private void lock(String table, Duration late) throws InterruptedException {
    // There is something to claim, as the producer goes on where it is not meant, and room for it.
    Clock.restUntil(crew.nextHeap() - AHEAD.toNanos());
    List<Proxy> proxies = OF_PRODUCER.contains(table) ? crew.proxies() : crew.workerProxies();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set local lock_timeout = " + WAIT.toMillis());
      statement.execute("lock table sluice." + table + " in share mode");
      Clock.awaits(WAIT, () -> somebodyWaits(statement, table));
      Clock.rest(BETWEEN);
      for (int time = 0; time < TIMES; time++) {
        proxies.forEach(Proxy::abandon);
        Clock.rest(BETWEEN);
      }
      Clock.rest(late);
      connection.commit();
    } catch (SQLException e) {
      // The database is down, or the table is not to be had now: nobody is late.
      return;
    }
  }

  private static boolean somebodyWaits(Statement statement, String table) {
    try (ResultSet result = statement.executeQuery(
        "select exists (select 1 from pg_locks where not granted and relation = 'sluice." + table
            + "'::regclass)")) {
      return result.next() && result.getBoolean(1);
    } catch (SQLException e) {
      return true; // there is nothing to wait for any more
    }
  }
}
