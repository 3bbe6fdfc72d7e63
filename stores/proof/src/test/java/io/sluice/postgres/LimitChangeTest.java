package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.Scope;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit or an order is set while transactions of others are open, and nobody waits for anybody. */
class LimitChangeTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final Lane KEYED = new Lane("default", "default", "sample", "", "customer-7");
  private static final Scope KEY = Scope.key("default", "customer-7");

  private final Ground ground = Schemas.take(SERVER);
  private final PostgresStore store = ground.store().build();
  private long worker;

  @BeforeEach
  void open() {
    store.open();
    worker = Sample.worker(store);
  }

  @AfterEach
  void clear() {
    store.close();
    Schemas.giveBack(ground);
  }

  @Test
  void limit_isSet_andCountsWhatRuns_whileSomebodysEnqueueIsOpen() throws Exception {
    store.insert(keyed(10));
    assertThat(Sample.claim(store, worker, 3)).hasSize(3);
    try (Connection open = SERVER.connect()) {
      open.setAutoCommit(false);
      store.insert(open, List.of(Sample.job()));
      store.limits().save(new Limit(KEY, null, 5));
      assertThat(store.insert(List.of(Sample.jobOf("other")))).hasSize(1);
      assertThat(claimKeyed(10)).hasSize(2);
      open.rollback();
    }
    assertThat(claimKeyed(10)).isEmpty();
  }

  @Test
  void limit_isSet_andCountsWhatRuns_whileSomebodysEnqueueWaitsForIt() throws Exception {
    store.insert(keyed(10));
    List<ClaimedJob> running = Sample.claim(store, worker, 3);
    try (Connection open = SERVER.connect()) {
      open.setAutoCommit(false);
      store.insert(open, List.of(Sample.after("next", running.getFirst().ref().job())));
      store.limits().save(new Limit(KEY, null, 5));
      assertThat(claimKeyed(10)).hasSize(2);
      open.rollback();
    }
    assertThat(claimKeyed(10)).isEmpty();
  }

  @Test
  void limit_isSet_andCountsWhatRuns_whileAJobsOwnTransactionIsOpen() throws Exception {
    store.insert(keyed(10));
    List<ClaimedJob> running = Sample.claim(store, worker, 3);
    try (Connection open = SERVER.connect()) {
      open.setAutoCommit(false);
      store.finish(open, new Finish(running.getFirst().ref(), Sample.COMPLETED));
      CompletableFuture<Void> saved =
          CompletableFuture.runAsync(() -> store.limits().save(new Limit(KEY, null, 3)));
      Eventually.await("it is written", () -> !store.limits().list("default").isEmpty());
      assertThat(store.finish(
              List.of(new Finish(running.get(1).ref(), Verdict.unspent(Strikes.NONE)))))
          .hasSize(1);
      open.commit();
      saved.join();
    }
    assertThat(claimKeyed(10)).hasSize(2);
    assertThat(claimKeyed(10)).isEmpty();
  }

  @Test
  void order_isSet_whileSomebodysEnqueueIsOpen() throws Exception {
    store.insert(keyed(4));
    List<ClaimedJob> running = Sample.claim(store, worker, 1);
    try (Connection open = SERVER.connect()) {
      open.setAutoCommit(false);
      store.insert(open, List.of(Sample.job()));
      store.queues().save(QueueSettings.of("default").withOrdered(Ordering.QUEUE));
      assertThat(Sample.claim(store, worker, 10)).isEmpty();
      store.finish(Sample.completed(running));
      assertThat(Sample.claim(store, worker, 10)).hasSize(1);
      open.rollback();
    }
  }

  @Test
  void limit_whoseSetterDied_isPutInForce_byHousekeeping() {
    store.insert(keyed(4));
    assertThat(Sample.claim(store, worker, 1)).hasSize(1);
    SERVER.run("""
        insert into %1$s.flow_limit (kind, tenant, name, concurrency) values ('KEY', 'default', 'customer-7', 2);
        update %1$s.flow_version set version = version + 1;
        insert into %1$s.flow_pending (kind, tenant, name, version)
        select 'KEY', 'default', 'customer-7', version from %1$s.flow_version
        """.formatted(ground.schema()));
    assertThat(claimKeyed(4)).as("what runs is not counted yet").isEmpty();
    store.purge();
    assertThat(claimKeyed(4)).hasSize(1);
  }

  private static List<NewJob> keyed(int jobs) {
    return IntStream.range(0, jobs)
        .mapToObj(i -> Sample.job(KEYED, "{}", null, When.now()))
        .toList();
  }

  private List<ClaimedJob> claimKeyed(int max) {
    return Sample.claim(store, worker, max).stream()
        .filter(job -> job.lane().equals(KEYED))
        .toList();
  }
}
