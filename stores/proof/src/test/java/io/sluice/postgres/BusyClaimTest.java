package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.When;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim whose row somebody changes while it is ended: it ends all the same, and is nowhere twice. */
@Tag("slow")
class BusyClaimTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  static Stream<Arguments> endings() {
    return Stream.of(Server.values())
        .flatMap(one -> Stream.of(
            Arguments.of(one, new Verdict.End(JobState.COMPLETED, null, null, null, DAY), "done"),
            Arguments.of(one, new Verdict.End(JobState.COMPLETED, "1", null, null, DAY), "done"),
            Arguments.of(
                one,
                new Verdict.Again(JobState.RETRYING, When.in(DAY), true, Strikes.NONE, null),
                "later")));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void claimThatIsChangedMeanwhile_ends(Server one, Verdict verdict, String place)
      throws Exception {
    server = one;
    try (PostgresStore store = server.store(schema).build();
        Connection other = server.connect()) {
      store.open();
      store.insert(List.of(Sample.job()));
      ClaimRef ref = Sample.claim(store, Sample.worker(store), 1).getFirst().ref();
      change(other, "update " + schema + ".running set started = true");
      CompletableFuture<Set<ClaimRef>> ending =
          CompletableFuture.supplyAsync(() -> store.finish(List.of(new Finish(ref, verdict))));
      Eventually.await("the ending waits for the change", this::isWaitedFor);
      other.commit();
      assertThat(ending.get(1, TimeUnit.MINUTES)).containsExactly(ref);
      assertThat(places()).isEqualTo(place);
    }
  }

  private static void change(Connection connection, String sql) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }

  private boolean isWaitedFor() {
    return server
        .ask("select exists (select 1 from pg_stat_activity where wait_event_type = 'Lock'"
            + " and query like '%\"" + schema + "\".running%')")
        .equals("t");
  }

  private String places() {
    return server.ask(Stream.of("ready", "running", "later", "done")
        .map(table -> "select '" + table + "' as place from " + schema + "." + table)
        .collect(
            Collectors.joining(" union all ", "select string_agg(p.place, ' ') from (", ") p")));
  }
}
