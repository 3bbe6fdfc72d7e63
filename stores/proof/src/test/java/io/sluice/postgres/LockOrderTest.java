package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.ErrorCode;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.TenantCap;
import io.sluice.testkit.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever two callers do at the same time to the same jobs, batches, keys and capped queues, they never wait
 * for each other in a circle.
 */
@Tag("slow")
class LockOrderTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int ROUNDS =
      System.getProperty("sluice.tier", "quick").equals("long") ? 100 : 2;
  /** How many pairs share the rows that are made for them. */
  private static final int RENEWED_EVERY = 6;

  private final Ground ground = Schemas.take(SERVER);
  private HikariDataSource pool;
  private DeadlockCounter counter;
  private PostgresStore store;

  @BeforeEach
  void open() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(SERVER.url());
    config.addDataSourceProperty("options", "-c deadlock_timeout=50ms -c synchronous_commit=off");
    config.setMaximumPoolSize(8);
    pool = new HikariDataSource(config);
    counter = new DeadlockCounter(pool);
    store = ground.store(counter).build();
    store.open();
    store.queues().save(QueueSettings.of(SharedRows.TENANT, "one").withMaxSize(1_000_000L));
    store.queues().save(QueueSettings.of(SharedRows.TENANT, "two").withMaxSize(1_000_000L));
    store.queues().capTenant(SharedRows.TENANT, TenantCap.of(1_000_000));
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
    Schemas.giveBack(ground);
  }

  @Test
  void everyPairOfWrites_onTheSameRows_waitsForNobodyInACircle() {
    SharedRows rows = new SharedRows(store, ground.schema(), counter);
    List<Map.Entry<String, SharedRows.Write>> writes = List.copyOf(rows.writes().entrySet());
    List<String> circles = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      for (int j = i; j < writes.size(); j++) {
        if ((j - i) % RENEWED_EVERY == 0) {
          rows.renew();
        }
        int before = counter.deadlocks().size();
        race(writes.get(i).getValue(), writes.get(j).getValue());
        counter.deadlocks().stream()
            .skip(before)
            .map((writes.get(i).getKey() + " and " + writes.get(j).getKey() + ": ")::concat)
            .forEach(circles::add);
      }
    }
    assertThat(circles).isEmpty();
  }

  private static void race(SharedRows.Write one, SharedRows.Write other) {
    Together.run(4, thread -> () -> {
      for (int round = 0; round < ROUNDS; round++) {
        attempt(thread % 2 == 0 ? one : other);
      }
      return thread;
    });
  }

  private static void attempt(SharedRows.Write write) throws Exception {
    try {
      write.run();
    } catch (SluiceException e) {
      // What another thread did meanwhile may make it impossible; that the store failed is no such
      // reason.
      if (e.code() == ErrorCode.PERSISTENCE_FAILURE) {
        throw e;
      }
    }
  }
}
