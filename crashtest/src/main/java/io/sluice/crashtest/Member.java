package io.sluice.crashtest;

import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What every child process is told and keeps: who it is, where the database is, and its journal. Also
 * notices when the machine gave it no time to run, and does not outlive the director.
 */
record Member(String who, String url, Path folder, long seed, Duration lease, Journal journal) {
  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration STATEMENT = Duration.ofSeconds(1);

  /** Reads the first arguments of a main method: role, url, folder, seed, lease in milliseconds. */
  static Member of(String[] args) {
    String who = args[0] + "#" + ProcessHandle.current().pid();
    Path folder = Path.of(args[2]);
    Member member = new Member(
        who,
        args[1],
        folder,
        Long.parseLong(args[3]),
        Duration.ofMillis(Long.parseLong(args[4])),
        Journal.open(folder, who));
    Thread.ofPlatform().daemon().name("ticks").start(member::watchTheTime);
    return member;
  }

  PostgresStore store() {
    return PostgresStore.builder().url(url).statementTimeout(STATEMENT).build();
  }

  private void watchTheTime() {
    ProcessHandle director = ProcessHandle.current().parent().orElseThrow();
    long last = Clock.now();
    try {
      while (director.isAlive()) {
        Clock.rest(TICK);
        long now = Clock.now();
        if (now - last > lease.toNanos() / 4) {
          journal.write(new Entry.Stall(now, who, last));
        }
        last = now;
      }
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
