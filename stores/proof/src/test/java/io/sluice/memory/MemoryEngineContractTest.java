package io.sluice.memory;

import io.sluice.testkit.EngineContract;
import io.sluice.testkit.EngineLab;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The engine keeps its contract on the in-memory store. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class MemoryEngineContractTest implements EngineContract {
  @Override
  public EngineLab lab() {
    return EngineLab.of(MemoryStore.create());
  }
}
