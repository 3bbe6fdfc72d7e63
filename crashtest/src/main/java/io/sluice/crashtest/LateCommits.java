package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * Lets statements commit when their clients have been cut off and have looked what became of them. Those that
 * write to one table are held up by a lock on it, or commits by the proxy, for less than a lease.
 */
final class LateCommits {
  /** What is late, one after the other: commits of what says so, or all that write to a table. */
  private static final List<Late> KINDS = List.of(
      new Commit("insert into sluice.running"),
      new Lock("running", false),
      new Commit("delete from sluice.running"),
      new Lock("ready", true),
      new Commit("insert into sluice.running"),
      new Lock("worker", false),
      new Commit("insert into sluice.job"),
      new Lock("later", true),
      new Commit("update sluice.worker"),
      new Lock("job", true),
      new Commit("delete from sluice.later"),
      new Lock("batch", true));

  private sealed interface Late {}

  /** Transactions with this text, quotes left out. */
  private record Commit(String text) implements Late {}

  /** Writes to this table, also those of the producer. */
  private record Lock(String table, boolean ofProducer) implements Late {}

  /** Commits to hold up on each proxy. */
  private static final int COMMITS = 2;

  /** What a client does as soon as it was cut off is late too. */
  private static final int TIMES = 4;

  private static final Duration BETWEEN = Duration.ofMillis(60);

  private static final Duration WAIT = Duration.ofMillis(250);
  private static final Duration AHEAD = Duration.ofMillis(30);
  private static final Duration WHILE = Duration.ofSeconds(1);

  private final Server server;
  private final Crew crew;

  LateCommits(Server server, Crew crew) {
    this.server = server;
    this.crew = crew;
  }

  /** Makes some statements late by about so much; which ones, goes by the number. */
  void make(int number, Duration late) throws InterruptedException {
    // There is something to claim then, and room for it.
    Clock.restUntil(crew.nextHeap() - AHEAD.toNanos());
    switch (KINDS.get(number % KINDS.size())) {
      case Commit commit -> holdUp(commit.text, late);
      case Lock lock -> hold(lock, late);
    }
  }

  private void holdUp(String text, Duration late) throws InterruptedException {
    crew.proxies()
        .forEach(proxy -> proxy.commitLate(
            texts -> texts.stream().anyMatch(t -> t.replace("\"", "").contains(text)),
            COMMITS,
            late));
    Clock.rest(WHILE);
    crew.proxies().forEach(Proxy::forward);
  }

  private void hold(Lock lock, Duration late) throws InterruptedException {
    List<Proxy> proxies = lock.ofProducer ? crew.proxies() : crew.workerProxies();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set local lock_timeout = " + WAIT.toMillis());
      statement.execute("lock table sluice." + lock.table + " in share mode");
      Clock.awaits(WAIT, () -> somebodyWaits(statement, lock.table));
      Clock.rest(BETWEEN);
      for (int time = 0; time < TIMES; time++) {
        proxies.forEach(Proxy::abandon);
        Clock.rest(BETWEEN);
      }
      Clock.rest(late);
      connection.commit();
    } catch (SQLException e) {
      // The database is down, or the table is not to be had now: nobody is late.
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
