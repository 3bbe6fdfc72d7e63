package io.sluice.server.delivery;

import io.sluice.Uuid7;
import io.sluice.memory.MemoryStore;
import io.sluice.server.TestDatabase;
import io.sluice.server.TestServer;
import io.sluice.server.secret.MasterKey;
import io.sluice.server.secret.Vault;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A store that tells callbacks is as good as the store behind it. */
class TellingStoreContractTest implements StoreContract {
  private static TestDatabase tables;

  @BeforeAll
  static void open() {
    tables = TestDatabase.create();
  }

  @AfterAll
  static void close() {
    tables.close();
  }

  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    MemoryStore behind = MemoryStore.builder().clock(clock).build();
    MasterKey key = MasterKey.parse("test", TestServer.MASTER_KEY);
    CallSecrets secrets = new CallSecrets(new Vault(tables.database(), key));
    CallbackJobs jobs = new CallbackJobs(secrets, new Uuid7(clock, new SplittableRandom(7)));
    FailureCallbacks callbacks = new FailureCallbacks(behind, tables.database(), jobs);
    return StoreLab.of(new TellingStore(behind, callbacks), clock);
  }
}
