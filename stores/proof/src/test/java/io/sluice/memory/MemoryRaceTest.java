package io.sluice.memory;

import io.sluice.testkit.BatchRaceContract;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.RaceContract;
import io.sluice.testkit.StoreLab;

/** The races, on the store that keeps its jobs in memory. */
class MemoryRaceTest implements RaceContract, BatchRaceContract {
  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    return StoreLab.of(MemoryStore.builder().clock(clock).build(), clock);
  }
}
