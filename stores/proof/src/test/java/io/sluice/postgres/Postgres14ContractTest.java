package io.sluice.postgres;

import io.sluice.testkit.ClaimContract;
import io.sluice.testkit.FinishContract;
import io.sluice.testkit.InsertContract;
import io.sluice.testkit.OrderedContract;
import io.sluice.testkit.RateContract;
import io.sluice.testkit.StoreLab;
import org.junit.jupiter.api.Tag;

/** The path of a job is the same on the oldest PostgreSQL that is supported. */
@Tag("slow")
class Postgres14ContractTest
    implements InsertContract, ClaimContract, RateContract, OrderedContract, FinishContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_14, false);
  }
}
