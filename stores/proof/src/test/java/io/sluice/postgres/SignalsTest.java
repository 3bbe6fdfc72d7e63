package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Verdict;
import io.sluice.store.Wakeups;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SignalsTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final String schema = Server.newSchema();
  private final Heard heard = new Heard();
  private PostgresStore here;
  private PostgresStore there;

  @BeforeEach
  void open() {
    here = SERVER.store(schema).build();
    there = SERVER.store(schema).build();
    here.open();
    there.open();
    there.wakeups().listen(heard);
    // Its connection may stand already, or not yet: said until it is heard.
    UUID nobody = Sample.job().id();
    Eventually.await("listening", () -> {
      SERVER.run("select pg_notify('" + new Sql(schema).channel() + "', 'c:" + nobody + "')");
      return heard.all.contains("cancelled " + nobody);
    });
    heard.all.clear();
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void hints_reachAnotherProcess() {
    here.insert(List.of(Sample.job()));
    Eventually.await("work", () -> heard.all.contains("work"));
    here.insert(List.of(Sample.job(Sample.job().lane(), "1", null, When.in(Duration.ofHours(1)))));
    Eventually.await("later", () -> heard.all.contains("later"));
    here.queues().save(QueueSettings.of("mail"));
    Eventually.await("queues", () -> heard.all.contains("queues"));
    ClaimedJob claimed = Sample.claim(here, Sample.worker(here), 1).getFirst();
    here.cancel(claimed.ref().job(), "no", Duration.ofHours(1));
    Eventually.await(
        "cancelled", () -> heard.all.contains("cancelled " + claimed.ref().job()));
  }

  /** As happens when a server process ends and another process's gets its number. */
  @Test
  void hints_ofAnotherProcess_areHeard_thoughTheyComeByTheSameConnections() {
    Connections shared = new Connections(SERVER.store(schema));
    try (PostgresStore one =
            SERVER.store(schema).lent(shared.behind(pool -> pool)).build();
        PostgresStore other =
            SERVER.store(schema).lent(shared.behind(pool -> pool)).build()) {
      one.open();
      other.open();
      Heard both = new Heard();
      one.wakeups().listen(both);
      for (int i = 0; i < 20; i++) {
        one.insert(List.of(Sample.job()));
        Eventually.await("it is heard elsewhere", () -> heard.all.contains("work"));
        heard.all.clear();
      }
      both.all.clear();
      Eventually.await("the other is heard", Duration.ofSeconds(10), () -> {
        other.queues().save(QueueSettings.of("mail"));
        return both.all.contains("queues");
      });
    } finally {
      shared.close();
    }
  }

  @Test
  void hints_areFewer_thanJobs() {
    Together.run(300, i -> () -> here.insert(List.of(Sample.job())));
    here.queues().save(QueueSettings.of("last"));
    Eventually.await("queues", () -> heard.all.contains("queues"));
    assertThat(heard.all).hasSizeLessThan(250);
  }

  @Test
  void hints_fromATransaction_comeWhenItCommits() throws Exception {
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      here.insert(connection, Sample.jobs(1));
      assertThat(heard.all).doesNotContain("work");
      connection.commit();
    }
    Eventually.await("work", () -> heard.all.contains("work"));
  }

  @Test
  void hints_comeFromTheSqlFunction() {
    SERVER.ask("select " + schema + ".enqueue('x')");
    Eventually.await("work", () -> heard.all.contains("work"));
  }

  @Test
  void listening_goesOn_afterEveryConnectionIsCut_andLeaksNone() {
    for (int round = 0; round < 10; round++) {
      heard.all.clear();
      SERVER.run("select pg_terminate_backend(pid) from pg_stat_activity "
          + "where application_name = 'sluice' and query like 'listen \""
          + new Sql(schema).channel() + "\"%'");
      Eventually.await("listening again", () -> heard.all.contains("work"));
    }
    heard.all.clear();
    Eventually.await("hints again", () -> {
      here.insert(List.of(Sample.job()));
      return heard.all.contains("work");
    });
    Eventually.await(
        "each of the two has one connection to listen",
        () -> SERVER
            .ask("select count(*) from pg_stat_activity "
                + "where application_name = 'sluice' and query like 'listen \""
                + new Sql(schema).channel() + "\"%'")
            .equals("2"));
  }

  /** The connections are of a user of their own, so that those of other tests stand. */
  @Test
  void work_goesOn_afterEveryConnectionIsCut() {
    SERVER.run("create role " + schema + " superuser login password '" + schema + "'");
    String url = SERVER.url().replaceFirst("user=.*", "user=" + schema + "&password=" + schema);
    try (PostgresStore store = SERVER.store(schema).url(url).build()) {
      long worker = Sample.worker(store);
      store.insert(Sample.jobs(10));
      assertThat(SERVER.ask(
              "select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = '"
                  + schema + "'"))
          .isNotEqualTo("0");
      Eventually.await("all are claimed", () -> {
        try {
          Sample.claim(store, worker, 10);
          return store.workers().held(worker).size() == 10;
        } catch (SluiceException e) {
          return false;
        }
      });
    }
    SERVER.run("drop owned by " + schema + " cascade; drop role " + schema);
  }

  @Test
  void finish_thatReturnsAJob_isHeard() {
    here.insert(List.of(Sample.job()));
    ClaimedJob claimed = Sample.claim(here, Sample.worker(here), 1).getFirst();
    Eventually.await("work", () -> heard.all.contains("work"));
    heard.all.clear();
    here.finish(List.of(new Finish(
        claimed.ref(),
        new Verdict.Again(JobState.PENDING, When.now(), false, claimed.strikes(), null))));
    Eventually.await("work", () -> heard.all.contains("work"));
  }

  private static final class Heard implements Wakeups.Listener {
    private final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void work() {
      all.add("work");
    }

    @Override
    public void later() {
      all.add("later");
    }

    @Override
    public void cancelled(UUID job) {
      all.add("cancelled " + job);
    }

    @Override
    public void queues() {
      all.add("queues");
    }
  }
}
