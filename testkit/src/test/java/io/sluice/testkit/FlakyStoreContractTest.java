package io.sluice.testkit;

import io.sluice.memory.MemoryStore;

/** A flaky store without faults is as good as the store behind it. */
class FlakyStoreContractTest implements StoreContract {
  @Override
  public StoreLab lab() {
    ManualClock clock = new ManualClock();
    return StoreLab.of(new FlakyStore(MemoryStore.builder().clock(clock).build()), clock);
  }
}
