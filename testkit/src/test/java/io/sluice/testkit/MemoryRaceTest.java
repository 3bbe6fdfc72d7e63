package io.sluice.testkit;

import io.sluice.memory.MemoryStore;

/** The races, on the store that keeps its jobs in memory. */
class MemoryRaceTest implements RaceContract {
  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    return StoreLab.of(MemoryStore.builder().clock(clock).build(), clock);
  }
}
