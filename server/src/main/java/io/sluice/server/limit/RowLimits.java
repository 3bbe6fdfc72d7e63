package io.sluice.server.limit;

import io.sluice.Scope;
import io.sluice.store.Limits;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Hands the limits of tenants and URL groups on to the store, whose claims keep to them. Their rows are
 * the truth: who changes one sets the limit while the row is locked, so that the last change is the last
 * here too, and what a crash or a store without a memory leaves behind is put right by {@link #settle}.
 */
public final class RowLimits {
  private final Limits limits;

  public RowLimits(Limits limits) {
    this.limits = limits;
  }

  /** Sets the limit of a scope, or lifts it; to be called while its row is locked. */
  public void set(Scope scope, Terms terms) {
    terms.on(scope).ifPresentOrElse(limits::save, () -> limits.delete(scope));
  }

  /**
   * Finds the rows whose limits are not those in force.
   *
   * @param rows what rows of one kind say, as of a moment ago
   * @param differs is given the scope of each that differs, to lock its row and set it anew
   */
  public void settle(Map<Scope, Terms> rows, Consumer<Scope> differs) {
    Map<Scope, Terms> inForce = limits.list(null).stream()
        .filter(limit -> rows.containsKey(limit.scope()))
        .collect(Collectors.toMap(limit -> limit.scope(), Terms::of));
    rows.forEach((scope, terms) -> {
      if (!terms.equals(inForce.getOrDefault(scope, Terms.NONE))) {
        differs.accept(scope);
      }
    });
  }

  /** Lifts every limit of a tenant that is no more. */
  public void end(String tenant) {
    limits.list(tenant).forEach(limit -> limits.delete(limit.scope()));
  }
}
