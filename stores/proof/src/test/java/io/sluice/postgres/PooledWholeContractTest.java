package io.sluice.postgres;

import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.Tag;

/** The whole contract, but for wake-ups, is kept behind a proxy that pools transactions. */
@Tag("long")
class PooledWholeContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_18, true);
  }
}
