package io.sluice.postgres;

import io.sluice.testkit.ClaimContract;
import io.sluice.testkit.FencingContract;
import io.sluice.testkit.FinishContract;
import io.sluice.testkit.IdempotencyContract;
import io.sluice.testkit.InsertContract;
import io.sluice.testkit.OrderedContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.Tag;

/**
 * The path of a job is the same on the oldest PostgreSQL that is supported, behind a proxy that pools
 * transactions. The long tier takes the whole contract to each of the two apart.
 */
@Tag("slow")
class Postgres14PooledContractTest
    implements InsertContract,
        IdempotencyContract,
        ClaimContract,
        OrderedContract,
        FinishContract,
        FencingContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_14, true);
  }
}
