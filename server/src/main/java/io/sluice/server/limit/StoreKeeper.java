package io.sluice.server.limit;

import io.sluice.Scope;
import io.sluice.server.quota.Room;
import io.sluice.store.Limits;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Keeps limits in the store alone, or in the settings of a queue, which the store has too. */
public final class StoreKeeper implements Keeper {
  /** Lets changes of one thing happen one after the other, over all instances. */
  public interface Turn {
    /** Does the work, which is given the room for more limits, when nobody else changes the thing. */
    void take(String tenant, String name, Consumer<Room> work);
  }

  private static final Set<Scope.Kind> COUNTED = Set.of(Scope.Kind.TYPE, Scope.Kind.KEY);

  private final Scope.Kind kind;
  private final Limits limits;
  private final Turn turn;

  public StoreKeeper(Scope.Kind kind, Limits limits, Turn turn) {
    this.kind = kind;
    this.limits = limits;
    this.turn = turn;
  }

  @Override
  public void change(String tenant, String name, UnaryOperator<Terms> change) {
    Scope scope = new Scope(kind, kind == Scope.Kind.GLOBAL ? "" : tenant, name);
    // A queue's own changes take their turn by its name.
    String place = kind == Scope.Kind.QUEUE ? name : scope.key();
    turn.take(scope.tenant(), place, room -> change(scope, change, room));
  }

  private void change(Scope scope, UnaryOperator<Terms> change, Room room) {
    Terms before = limits.list(scope.tenant()).stream()
        .filter(limit -> limit.scope().equals(scope))
        .findFirst()
        .map(Terms::of)
        .orElse(Terms.NONE);
    Terms after = change.apply(before);
    if (before.equals(Terms.NONE) && !after.equals(Terms.NONE) && COUNTED.contains(kind)) {
      room.require(() -> count(scope.tenant()));
    }
    new RowLimits(limits).set(scope, after);
  }

  /** Limits of queues, URL groups and tenants belong to these, which have quotas of their own. */
  private long count(String tenant) {
    return limits.list(tenant).stream()
        .filter(limit -> COUNTED.contains(limit.scope().kind()))
        .count();
  }
}
