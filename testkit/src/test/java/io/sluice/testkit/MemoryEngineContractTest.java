package io.sluice.testkit;

import io.sluice.memory.MemoryStore;

/** The engine keeps its contract on the in-memory store. */
class MemoryEngineContractTest implements EngineContract {
  @Override
  public EngineLab lab() {
    return EngineLab.of(MemoryStore.create());
  }
}
