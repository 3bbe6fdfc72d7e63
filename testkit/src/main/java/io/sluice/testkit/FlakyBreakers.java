package io.sluice.testkit;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The breakers of a flaky store. */
record FlakyBreakers(Breakers breakers, Faults faults) implements Breakers {
  @Override
  public Breaker save(Scope scope, @Nullable BreakerSettings settings) {
    return faults.pass("save", () -> breakers.save(scope, settings));
  }

  @Override
  public boolean delete(Scope scope) {
    return faults.pass("delete", () -> breakers.delete(scope));
  }

  @Override
  public Optional<Breaker> find(Scope scope) {
    return faults.pass("find", () -> breakers.find(scope));
  }

  @Override
  public List<Breaker> list(@Nullable String tenant) {
    return faults.pass("list", () -> breakers.list(tenant));
  }

  @Override
  public boolean move(Scope scope, long version, BreakerState to) {
    return faults.pass("move", () -> breakers.move(scope, version, to));
  }

  @Override
  public ProbeGrant probe(Scope scope, int wanted) {
    return faults.pass("probe", () -> breakers.probe(scope, wanted));
  }

  @Override
  public boolean probed(Scope scope, long version, int passed, int unused) {
    return faults.pass("probed", () -> breakers.probed(scope, version, passed, unused));
  }

  @Override
  public List<Tally> count(UUID instance, List<Tally> own) {
    return faults.pass("count", () -> breakers.count(instance, own));
  }

  @Override
  public void hold(Scope scope, Duration time) {
    faults.pass("hold", () -> {
      breakers.hold(scope, time);
      return true;
    });
  }

  @Override
  public boolean release(Scope scope) {
    return faults.pass("release", () -> breakers.release(scope));
  }
}
