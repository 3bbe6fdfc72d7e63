package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.NewJob;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InsertTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private PostgresStore store;

  @BeforeEach
  void open() {
    store = ground.store().build();
    store.open();
  }

  @AfterEach
  void close() {
    store.close();
    Schemas.giveBack(ground);
  }

  @Test
  @Timeout(20)
  void single_isRefusedAndNotLeftWaiting_onAStoreThatIsNotOpen() {
    try (PostgresStore unopened = ground.store().build()) {
      assertThatThrownBy(() -> unopened.insert(List.of(Sample.job())))
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("open");
    }
  }

  @Test
  void singles_areAllStored_besideBadNeighbours() {
    List<String> answers = Together.run(500, i -> () -> insert(badEvery(50, i)));
    Map<String, Long> counts =
        answers.stream().collect(Collectors.groupingBy(a -> a, Collectors.counting()));
    assertThat(counts).isEqualTo(Map.of("ok", 480L, "INVALID_MESSAGE", 10L, "NOT_FOUND", 10L));
    assertThat(SERVER.ask("select count(*) from " + schema + ".ready")).isEqualTo("480");
    assertThat(SERVER.ask("select count(*) from " + schema + ".job")).isEqualTo("480");
  }

  private static NewJob badEvery(int step, int i) {
    if (i % step == 0) {
      return Sample.job("default", "{not json", null);
    }
    return Sample.job(i % step == 1 ? "nowhere" : "default", "{\"i\":" + i + "}", null);
  }

  @Test
  void singles_withOneKey_makeOneJob_amongManyCallers() {
    Set<UUID> ids = Set.copyOf(Together.run(
        32,
        i -> () ->
            store.insert(List.of(Sample.job("default", "1", "same"))).getFirst().id()));
    assertThat(ids).hasSize(1);
    assertThat(SERVER.ask("select count(*) from " + schema + ".ready")).isEqualTo("1");
  }

  @Test
  void cap_isExact_amongSixteenCallersOfSinglesAndLists() {
    store.queues().save(QueueSettings.of("small").withMaxSize(100L));
    List<Integer> taken = Together.run(16, i -> () -> {
      int mine = 0;
      for (int call = 0; call < 20; call++) {
        List<NewJob> jobs = new ArrayList<>();
        for (int n = 0; n <= i % 2 * 2; n++) {
          jobs.add(Sample.job("small", "1", null));
        }
        try {
          mine += store.insert(jobs).size();
        } catch (SluiceException e) {
          if (e.code() != ErrorCode.QUEUE_FULL) {
            throw e;
          }
        }
      }
      return mine;
    });
    assertThat(taken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
    assertThat(SERVER.ask("select count(*) from " + schema + ".ready")).isEqualTo("100");
    assertThat(store.queues().sizes().getFirst().unfinished()).isEqualTo(100);
  }

  @Test
  void cap_isExact_whenItIsSetWhileJobsComeIn() {
    store.queues().save(QueueSettings.of("late"));
    Together.run(9, i -> () -> {
      for (int call = 0; call < 40; call++) {
        if (i == 0 && call == 5) {
          store.queues().save(QueueSettings.of("late").withMaxSize(100_000L));
        } else if (i > 0) {
          store.insert(List.of(Sample.job("late", "1", null)));
        }
      }
      return i;
    });
    assertThat(store.queues().sizes().getFirst().unfinished()).isEqualTo(320);
  }

  @Test
  void bulk_keepsEveryField_byCopy() {
    Metadata metadata = Metadata.NONE.withUserId("ü\u0001").with("n", 5);
    Instant expiry = Instant.parse("2100-01-01T00:00:00.123456Z");
    List<NewJob> jobs = new ArrayList<>(Sample.jobs(2000));
    String payload = "{ \"text\" : \"" + "x".repeat(100_000) + "ß€😀\" }";
    JobSpec spec = new JobSpec(
        payload, Priority.HIGH, Defaults.RETRY, Duration.ofMillis(1500), null, expiry, metadata, 9);
    NewJob rich = new NewJob(
        Sample.job().id(),
        Lane.of("acme", "default", "rich"),
        spec,
        When.in(Duration.ofHours(1)),
        false);
    jobs.add(rich);
    List<Enqueued> answers = store.insert(jobs);
    assertThat(answers).hasSize(2001);
    assertThat(answers.getLast()).isEqualTo(new Enqueued(rich.id(), JobState.SCHEDULED, false));
    JobRecord found = store.find(rich.id()).orElseThrow();
    assertThat(found.spec()).isEqualTo(spec);
    assertThat(found.lane()).isEqualTo(rich.lane());
    assertThat(Duration.between(found.createdAt(), found.status().runAt()))
        .isEqualTo(Duration.ofHours(1));
    assertThat(SERVER.ask("select count(*) from " + schema + ".ready")).isEqualTo("2000");
    assertThat(SERVER.ask("select count(*) from " + schema + ".expiry")).isEqualTo("1");
  }

  @Test
  void bulk_storesNothing_whenOneIsBad() {
    List<NewJob> jobs = new ArrayList<>(Sample.jobs(1000));
    jobs.add(Sample.job("default", "{broken", null));
    assertThatThrownBy(() -> store.insert(jobs))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGE));
    assertThat(SERVER.ask("select count(*) from " + schema + ".job")).isEqualTo("0");
    assertThat(store.insert(Sample.jobs(3))).hasSize(3);
  }

  @Test
  void insert_inTheCallersTransaction_standsOrFallsWithIt() throws Exception {
    store.queues().save(QueueSettings.of("small").withMaxSize(1L));
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      store.insert(connection, Sample.jobs(2));
      connection.rollback();
      assertThat(SERVER.ask("select count(*) from " + schema + ".job")).isEqualTo("0");
      store.insert(connection, List.of(Sample.job("small", "1", "k")));
      assertThatThrownBy(() -> store.insert(connection, List.of(Sample.job("small", "1", "other"))))
          .hasMessageContaining("QUEUE_FULL");
      connection.commit();
      assertThat(connection.getAutoCommit()).isFalse();
    }
    assertThat(SERVER.ask("select string_agg(key, ',') from " + schema + ".idempotency"))
        .isEqualTo("k");
  }

  @Test
  void insert_goesToShelfZero_whenItsDayHasNoPartition() {
    SERVER.run("delete from " + schema + ".shelf");
    UUID id = store.insert(List.of(Sample.job())).getFirst().id();
    assertThat(SERVER.ask("select count(*) from " + schema + ".job_0")).isEqualTo("1");
    long worker = Sample.worker(store);
    assertThat(store.finish(Sample.completed(Sample.claim(store, worker, 1)))).hasSize(1);
    assertThat(store.find(id)).isPresent();
  }

  private String insert(NewJob job) {
    try {
      store.insert(List.of(job));
      return "ok";
    } catch (SluiceException e) {
      return e.code().name();
    }
  }
}
