package io.sluice.memory;

import io.sluice.testkit.ManualClock;
import io.sluice.testkit.StoreContract;
import io.sluice.testkit.StoreLab;

/** The in-memory store keeps the whole contract. */
class MemoryStoreContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    return StoreLab.of(MemoryStore.builder().clock(clock).build(), clock);
  }
}
