package io.sluice.testkit;

import io.sluice.memory.MemoryStore;

/** The in-memory store keeps the whole contract. */
class MemoryStoreContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    return StoreLab.of(MemoryStore.builder().clock(clock).build(), clock);
  }
}
