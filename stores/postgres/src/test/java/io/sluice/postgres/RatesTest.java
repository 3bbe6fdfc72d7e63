package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How fast this store is beside plain inserts, on the same machine in the same minute. Figures of one
 * machine say little; the ratios are what is checked, loosely, because other work on the machine
 * moves them by half. docs/decisions/0002-claim-by-lane.md has those of a quiet one.
 */
@Tag("long")
class RatesTest {
  private static final int CALLERS = 16;
  private static final int SINGLES = 20_000;
  private static final int JOBS = 50_000;
  private static final int ROUNDS = 3;
  private static final String PAYLOAD = "{\"text\":\"" + "x".repeat(189) + "\"}";

  private final Server server = Server.POSTGRES_18;
  private final String schema = Server.newSchema();

  @Test
  void store_isFaster_thanBareInserts() {
    server.run("create schema " + schema + "; create table " + schema
        + ".bare (id uuid primary key, payload json not null)");
    List<double[]> rounds = new ArrayList<>();
    try (PostgresStore store = server.store(schema).connections(20).build()) {
      store.open();
      for (int round = 0; round <= ROUNDS; round++) {
        double bare = rate(SINGLES, this::bareInserts);
        double single = rate(SINGLES, () -> singles(store));
        double drainSingles = rate(SINGLES, () -> drain(store, SINGLES));
        double bulk = rate(JOBS, () -> bulk(store));
        double drained = rate(JOBS, () -> drain(store, JOBS));
        System.out.printf(
            "round %d: bare %,.0f/s  single %,.0f/s (%.1fx)  bulk %,.0f/s (%.1fx)  "
                + "drained %,.0f/s (%.1fx; singles %,.0f/s)%n",
            round,
            bare,
            single,
            single / bare,
            bulk,
            bulk / bare,
            drained,
            drained / bare,
            drainSingles);
        if (round > 0) {
          rounds.add(new double[] {single / bare, bulk / bare, drained / bare});
        }
      }
    } finally {
      server.run("drop schema if exists " + schema + " cascade");
    }
    assertThat(median(rounds, 0)).as("single").isGreaterThan(0.8);
    assertThat(median(rounds, 1)).as("bulk").isGreaterThan(4);
    assertThat(median(rounds, 2)).as("drained").isGreaterThan(2);
  }

  private static double median(List<double[]> rounds, int column) {
    return rounds.stream()
        .mapToDouble(r -> r[column])
        .sorted()
        .skip(ROUNDS / 2)
        .findFirst()
        .orElse(0);
  }

  private static double rate(int jobs, Runnable work) {
    long start = System.nanoTime();
    work.run();
    return jobs / ((System.nanoTime() - start) / 1e9);
  }

  private void bareInserts() {
    Together.run(CALLERS, i -> () -> {
      try (Connection connection = server.connect();
          PreparedStatement insert =
              connection.prepareStatement("insert into " + schema + ".bare values (?, ?::json)")) {
        for (int n = 0; n < SINGLES / CALLERS; n++) {
          insert.setObject(1, Sample.job().id());
          insert.setString(2, PAYLOAD);
          insert.executeUpdate();
        }
        return i;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static void singles(PostgresStore store) {
    Together.run(CALLERS, i -> () -> {
      for (int n = 0; n < SINGLES / CALLERS; n++) {
        store.insert(List.of(Sample.job("default", PAYLOAD, null)));
      }
      return i;
    });
  }

  private static void bulk(PostgresStore store) {
    List<NewJob> jobs = IntStream.range(0, JOBS)
        .mapToObj(i -> Sample.job("default", PAYLOAD, null))
        .toList();
    Together.run(2, i -> () -> {
      for (int n = i; n < 10; n += 2) {
        store.insert(jobs.subList(n * JOBS / 10, (n + 1) * JOBS / 10));
      }
      return i;
    });
  }

  private static void drain(PostgresStore store, int jobs) {
    AtomicInteger left = new AtomicInteger(jobs);
    long worker = Sample.worker(store);
    Together.run(3, i -> () -> {
      while (left.get() > 0) {
        List<ClaimedJob> claimed = Sample.claim(store, worker, 500);
        if (!claimed.isEmpty()) {
          left.addAndGet(-store.finish(Sample.completed(claimed)).size());
        }
      }
      return i;
    });
  }
}
