package io.sluice.postgres;

import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.Tag;

/** The store keeps the whole contract on PostgreSQL 14. */
@Tag("long")
class Postgres14WholeContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_14, false);
  }
}
