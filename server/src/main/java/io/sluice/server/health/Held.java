package io.sluice.server.health;

import io.sluice.Breaker;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is held back on purpose, over all tenants. It is worth knowing where jobs wait, and no fault of this
 * system; names are not told, since whoever asks for health needs no credential.
 */
public final class Held {
  private final Breakers breakers;
  private final Supplier<Set<Scope>> groups;

  /**
   * @param groups those that are disabled or fail a check which holds their jobs
   */
  public Held(Breakers breakers, Supplier<Set<Scope>> groups) {
    this.breakers = breakers;
    this.groups = groups;
  }

  /** A sentence for each kind of which there is something. */
  public List<String> notes() {
    List<Breaker> all = breakers.list(null);
    long open =
        all.stream().filter(breaker -> breaker.state() != BreakerState.CLOSED).count();
    Set<Scope> held = new HashSet<>(groups.get());
    all.stream()
        .filter(breaker -> breaker.heldFor().isPositive())
        .map(Breaker::scope)
        .forEach(held::add);
    List<String> notes = new ArrayList<>();
    note(notes, open, "breaker is open", "breakers are open");
    note(notes, held.size(), "URL group is held", "URL groups are held");
    return notes;
  }

  private static void note(List<String> notes, long count, String one, String many) {
    if (count > 0) {
      notes.add(count + " " + (count == 1 ? one : many));
    }
  }
}
