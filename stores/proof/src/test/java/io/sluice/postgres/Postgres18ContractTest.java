package io.sluice.postgres;

import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The store keeps the whole contract on PostgreSQL 18. */
@Execution(ExecutionMode.CONCURRENT)
class Postgres18ContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_18, false);
  }
}
