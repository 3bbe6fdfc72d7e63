package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Scope;
import io.sluice.When;
import io.sluice.store.NewJob;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A list of limits looks at what runs once, and not once for each of them. */
@Tag("slow")
class LimitStatesTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int RUNNING = 8_000;
  private static final int LIMITS = 40;

  private final String schema = Server.newSchema();
  private final MeteredSource source = new MeteredSource(SERVER);
  private PostgresStore store;

  @BeforeEach
  void open() {
    store =
        PostgresStore.builder().dataSource(source).schema(schema).daysAhead(1).build();
    store.open();
  }

  @AfterEach
  void close() throws SQLException {
    store.close();
    source.close();
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void statesOfManyLimits_readWhatRunsOnce() {
    List<Scope> scopes =
        IntStream.range(0, LIMITS).mapToObj(i -> Scope.key("default", "k" + i)).toList();
    scopes.forEach(scope -> store.limits().save(new Limit(scope, null, RUNNING)));
    List<NewJob> jobs =
        IntStream.range(0, RUNNING).mapToObj(LimitStatesTest::job).toList();
    store.insert(jobs);
    Sample.claim(store, Sample.worker(store), RUNNING);

    long one = source.leastBlocks(() -> store.limits().states(scopes.subList(0, 1)));
    long all = source.leastBlocks(() -> store.limits().states(scopes));

    assertThat(store.limits().states(scopes)).hasSize(LIMITS).allSatisfy((scope, state) -> {
      assertThat(state.limit().scope()).isEqualTo(scope);
      assertThat(state.running()).isEqualTo(RUNNING / LIMITS);
    });
    assertThat(all).as("beside " + one + " for one").isLessThan(LIMITS * one / 2);
  }

  private static NewJob job(int i) {
    Lane lane = new Lane("default", "default", "sample", "", "k" + i % LIMITS);
    return Sample.job(lane, "{}", null, When.now());
  }
}
