package io.sluice.postgres;

import io.sluice.testkit.ClaimContract;
import io.sluice.testkit.FencingContract;
import io.sluice.testkit.FinishContract;
import io.sluice.testkit.IdempotencyContract;
import io.sluice.testkit.InsertContract;
import io.sluice.testkit.OrderedContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.Tag;

/** The path of a job is the same behind a proxy that pools transactions. */
@Tag("slow")
class PooledContractTest
    implements InsertContract,
        IdempotencyContract,
        ClaimContract,
        OrderedContract,
        FinishContract,
        FencingContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_18, true);
  }
}
