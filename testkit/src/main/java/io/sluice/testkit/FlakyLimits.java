package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Scope;
import io.sluice.store.Limits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits of a flaky store. */
record FlakyLimits(Limits limits, Faults faults) implements Limits {
  @Override
  public void save(Limit limit) {
    faults.pass("save", () -> {
      limits.save(limit);
      return true;
    });
  }

  @Override
  public boolean delete(Scope scope) {
    return faults.pass("delete", () -> limits.delete(scope));
  }

  @Override
  public List<Limit> list(@Nullable String tenant) {
    return faults.pass("list", () -> limits.list(tenant));
  }

  @Override
  public Map<Scope, LimitState> states(Collection<Scope> scopes) {
    return faults.pass("states", () -> limits.states(scopes));
  }
}
