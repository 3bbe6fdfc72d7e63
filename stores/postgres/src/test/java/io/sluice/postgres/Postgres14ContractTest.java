package io.sluice.postgres;

import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;

/** The store keeps the whole contract on PostgreSQL 14. */
class Postgres14ContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_14, false);
  }
}
