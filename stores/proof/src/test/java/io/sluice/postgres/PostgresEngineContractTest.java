package io.sluice.postgres;

import io.sluice.store.JobStore;
import io.sluice.testkit.EngineContract;
import io.sluice.testkit.EngineLab;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An engine does on PostgreSQL all that it does in memory. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class PostgresEngineContractTest implements EngineContract {
  @Override
  public EngineLab lab() {
    return new Lab();
  }

  /** Stores of their own on one schema, as processes would have them. */
  private static final class Lab implements EngineLab {
    private static final Server SERVER = Server.POSTGRES_18;

    private final Ground ground = Schemas.take(SERVER);
    private final List<JobStore> others = new ArrayList<>();
    private final JobStore store = ground.store().build();

    @Override
    public JobStore store() {
      return store;
    }

    @Override
    public Optional<JobStore> another() {
      JobStore other = ground.store().build();
      others.add(other);
      return Optional.of(other);
    }

    @Override
    public void close() {
      others.forEach(JobStore::close);
      store.close();
      Schemas.giveBack(ground);
    }
  }
}
