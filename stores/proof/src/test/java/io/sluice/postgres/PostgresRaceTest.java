package io.sluice.postgres;

import io.sluice.testkit.BatchRaceContract;
import io.sluice.testkit.RaceContract;
import io.sluice.testkit.StoreLab;

/** The races, on PostgreSQL, between two instances. */
class PostgresRaceTest implements RaceContract, BatchRaceContract {
  @Override
  public StoreLab lab() {
    return new PostgresLab(Server.POSTGRES_18, false);
  }
}
