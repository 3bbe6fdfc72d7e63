package io.sluice.server.limit;

import io.sluice.LimitState;
import io.sluice.Scope;
import io.sluice.store.Limits;
import java.util.function.UnaryOperator;

/** Keeps limits in the store alone, or in the settings of a queue, which the store has too. */
public final class StoreKeeper implements Keeper {
  /** Lets changes of one thing happen one after the other, over all instances. */
  public interface Turn {
    void take(String tenant, String name, Runnable work);
  }

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
    turn.take(scope.tenant(), place, () -> change(scope, change));
  }

  private void change(Scope scope, UnaryOperator<Terms> change) {
    Terms before = limits
        .state(scope)
        .map(LimitState::limit)
        .filter(limit -> limit.scope().equals(scope))
        .map(Terms::of)
        .orElse(Terms.NONE);
    new RowLimits(limits).set(scope, change.apply(before));
  }
}
