package io.sluice.testkit;

import io.sluice.memory.MemoryStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The engine keeps its contract on the in-memory store. */
@Execution(ExecutionMode.CONCURRENT)
class MemoryEngineContractTest implements EngineContract {
  @Override
  public EngineLab lab() {
    return EngineLab.of(MemoryStore.create());
  }
}
