package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.When;
import io.sluice.store.Count;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Figures read no more where more is kept, and are right where little is. */
@Tag("slow")
class StoreFiguresTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final long MOST_BLOCKS = 64;
  private static final long MOST_COUNTED = 200;
  private static final int MANY = 20_000;

  private final String schema = Server.newSchema();
  private final MeteredSource source = new MeteredSource(SERVER);
  private final StoreFigures figures = new StoreFigures(
      new Database(source, new Sql(schema), Guard.NONE), MOST_BLOCKS, MOST_COUNTED);
  private PostgresStore store;

  @BeforeEach
  void open() {
    store = SERVER.store(schema).daysAhead(1).build();
    store.open();
    for (String tenant : List.of("busy", "quiet")) {
      store.insert(
          List.of(Sample.job(Lane.of(tenant, "default", "sample"), "{}", null, When.now())));
    }
  }

  @AfterEach
  void close() throws SQLException {
    store.close();
    source.close();
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void few_areCounted() {
    end("busy", JobState.COMPLETED, 300);
    end("busy", JobState.DEAD, 20);
    end("quiet", JobState.CANCELLED, 7);
    assertThat(figures.counts(null))
        .containsExactly(
            new Count("busy", "default", "sample", JobState.PENDING, 1),
            new Count("busy", "default", "sample", JobState.COMPLETED, 300),
            new Count("busy", "default", "sample", JobState.DEAD, 20),
            new Count("quiet", "default", "sample", JobState.PENDING, 1),
            new Count("quiet", "default", "sample", JobState.CANCELLED, 7));
  }

  @Test
  void many_areEstimated_besideTheFewThatDidNotComplete() {
    end("busy", JobState.COMPLETED, MANY);
    end("busy", JobState.DEAD, 20);
    end("quiet", JobState.CANCELLED, 7);
    assertThat(jobs(null, "busy", JobState.COMPLETED)).isBetween(MANY / 2L, 2L * MANY);
    assertThat(jobs(null, "busy", JobState.DEAD)).isEqualTo(20);
    assertThat(jobs(null, "quiet", JobState.CANCELLED)).isEqualTo(7);
  }

  @Test
  void whatDidNotComplete_isEstimated_whereItIsMuch() {
    end("busy", JobState.CANCELLED, MANY);
    assertThat(jobs(null, "busy", JobState.CANCELLED)).isBetween(MANY / 2L, 2L * MANY);
  }

  @Test
  void aQuietTenant_isCounted_besideABusyOne() {
    end("busy", JobState.COMPLETED, MANY);
    end("quiet", JobState.COMPLETED, 30);
    assertThat(jobs("quiet", "quiet", JobState.COMPLETED)).isEqualTo(30);
    assertThat(jobs("busy", "busy", JobState.COMPLETED)).isBetween(MANY / 2L, 2L * MANY);
    assertThat(jobs("busy", "quiet", JobState.COMPLETED)).isZero();
  }

  @Test
  void counts_readNoMore_whereMoreIsKept() {
    end("busy", JobState.COMPLETED, MANY);
    long some = leastForCounts();
    end("busy", JobState.COMPLETED, 3 * MANY);
    long more = leastForCounts();
    assertThat(more).as("beside " + some).isLessThan(some + 2 * MOST_BLOCKS);
  }

  private long leastForCounts() {
    return source.leastBlocks(() -> figures.counts(null));
  }

  @Test
  void figuresOfATenant_readNoneOfTheJobsOfOthers() {
    long alone = source.leastBlocks(this::readQuiet);
    for (int i = 0; i < 20; i++) {
      store.insert(IntStream.range(0, 1_000)
          .mapToObj(n ->
              Sample.job(Lane.of("busy", "default", "sample" + n % 100), "{}", null, When.now()))
          .toList());
    }
    assertThat(source.leastBlocks(this::readQuiet)).isLessThan(alone + MOST_BLOCKS);
    assertThat(figures.unfinished("quiet"))
        .containsExactly(new Count("quiet", "default", "sample", JobState.PENDING, 1));
    assertThat(figures.oldestReady("quiet")).isPresent();
    assertThat(figures.oldestReady("nobody")).isEmpty();
  }

  private void readQuiet() {
    figures.unfinished("quiet");
    figures.oldestReady("quiet");
  }

  private long jobs(@Nullable String asked, String tenant, JobState state) {
    return figures.counts(asked).stream()
        .filter(count -> count.tenant().equals(tenant) && count.state() == state)
        .mapToLong(Count::jobs)
        .sum();
  }

  private void end(String tenant, JobState state, int jobs) {
    SERVER.run("""
        insert into %1$s.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
          finished_at, expires_at)
        select t.day + 1, gen_random_uuid(), t.day, l.id, 10, %2$d, 1, 1, 0, 0, now(),
          to_timestamp((t.day + 2) * 86400.0 - 1)
        from generate_series(1, %3$d), %1$s.lane l join %1$s.queue q on q.id = l.queue and q.tenant = '%4$s',
          (select floor(extract(epoch from now()) / 86400)::integer as day) t;
        analyze %1$s.done
        """.formatted(schema, States.code(state), jobs, tenant));
  }
}
