package io.sluice.server.limit;

import io.sluice.ErrorCode;
import io.sluice.Limit;
import io.sluice.Page;
import io.sluice.Scope;
import io.sluice.Scope.Kind;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.audit.Changes;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.store.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Limits: how fast jobs start and how many run at once, on everything, a tenant, or a queue, URL group, job
 * type or limit key of a tenant. What is on everything or on a whole tenant is for admins to change.
 */
public final class LimitsResource {
  private static final String ONE = "/v1/limits/{key}";
  private static final Comparator<Scope> IN_ORDER =
      Comparator.comparing(Scope::kind).thenComparing(Scope::name);

  private final Limits limits;
  private final Map<Kind, Keeper> keepers;
  private final Cursors cursors;
  private final Audit audit;
  private final Changes changes = new Changes(new Json());

  /**
   * @param keepers of every kind
   */
  public LimitsResource(Limits limits, Map<Kind, Keeper> keepers, Cursors cursors, Audit audit) {
    this.limits = limits;
    this.keepers = Map.copyOf(keepers);
    this.cursors = cursors;
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .get("/v1/limits", Access.READ, call -> Answer.ok(list(call)))
        .get(ONE, Access.READ, this::read)
        .put(ONE, Access.OPERATE, this::set)
        .delete(ONE, Access.OPERATE, this::delete);
  }

  // ---- looking

  private Page<LimitView> list(Call call) {
    Query query = call.query().onlyPaged();
    String list = "limits of " + call.tenant();
    String cursor = cursors.open(list, query);
    Scope after = cursor == null ? null : LimitKey.parse(cursor).scope(call.tenant());
    List<Scope> rest = scopes(call).stream()
        .filter(scope -> after == null || IN_ORDER.compare(scope, after) > 0)
        .sorted(IN_ORDER)
        .toList();
    List<Scope> shown = rest.subList(0, Math.min(query.limit(), rest.size()));
    String next = rest.size() > shown.size() ? shown.getLast().key() : null;
    List<LimitView> views = limits.states(shown).entrySet().stream()
        .map(state -> LimitView.of(state.getKey(), state.getValue()))
        .toList();
    return cursors.page(list, views, next);
  }

  private List<Scope> scopes(Call call) {
    List<Scope> scopes =
        new ArrayList<>(limits.list(call.tenant()).stream().map(Limit::scope).toList());
    if (isAdmin(call)) {
      scopes.add(Scope.global());
    }
    return scopes;
  }

  /** The limit that holds for a scope; none where it was lifted a moment ago. */
  private Optional<LimitView> view(Scope scope) {
    return limits.state(scope).map(state -> LimitView.of(scope, state));
  }

  private Answer read(Call call) {
    call.query().only();
    return answer(named(call));
  }

  private Answer answer(Scope scope) {
    return Answer.ok(view(scope).orElseThrow(() -> unknown(scope)));
  }

  private static SluiceException unknown(Scope scope) {
    return new SluiceException(ErrorCode.NOT_FOUND, "there is no limit on '" + scope.key() + "'");
  }

  /** The scope in the path; a name alone is a limit key, or the one thing of this name with a limit. */
  private Scope named(Call call) {
    LimitKey key = LimitKey.parse(call.path("key"));
    Scope scope = key.scope(call.tenant());
    if (key.kind() != null) {
      if (scope.kind() == Kind.GLOBAL) {
        requireAdmin(call, "see the limit on everything");
      }
      return scope;
    }
    List<Scope> called = limits.list(call.tenant()).stream()
        .map(Limit::scope)
        .filter(other -> other.kind().isNamed() && other.name().equals(key.name()))
        .toList();
    if (called.contains(scope) || called.isEmpty()) {
      return scope;
    }
    if (called.size() > 1) {
      throw new Invalid(
          "key",
          "must be one of "
              + called.stream().map(Scope::key).sorted().collect(Collectors.joining(", "))
              + ": several have this name");
    }
    return called.getFirst();
  }

  // ---- changing

  private Answer set(Call call) {
    call.query().only();
    LimitBody given = call.body(LimitBody.class);
    Scope scope = LimitKey.parse(call.path("key")).scope(call.tenant(), given.scope());
    change(
        call,
        scope,
        "limit.set",
        before -> call.changed(LimitBody.of(before), LimitBody.class).terms(given));
    return answer(scope);
  }

  private Answer delete(Call call) {
    call.query().only();
    Scope scope = named(call);
    if (own(scope).isEmpty()) {
      throw unknown(scope);
    }
    change(call, scope, "limit.delete", before -> Terms.NONE);
    return Answer.none();
  }

  private void change(Call call, Scope scope, String action, UnaryOperator<Terms> change) {
    switch (scope.kind()) {
      case GLOBAL -> requireAdmin(call, "change the limit on everything");
      case TENANT -> requireAdmin(call, "change the limit on a whole tenant");
      case QUEUE, URL_GROUP, TYPE, KEY -> {}
    }
    Terms now = own(scope).map(Terms::of).orElse(Terms.NONE);
    String details = changes.between(LimitBody.of(now), LimitBody.of(change.apply(now)));
    audit.around(
        new Audit.AuditLine(call.caller(), call.tenant(), action, scope.key(), details), () -> {
          keeper(scope.kind()).change(call.tenant(), scope.name(), change);
          return true;
        });
  }

  private Keeper keeper(Kind kind) {
    Keeper keeper = keepers.get(kind);
    if (keeper == null) {
      throw new IllegalStateException("nobody keeps limits of the kind " + kind);
    }
    return keeper;
  }

  /** The limit on this very scope, and not that of a pattern. */
  private Optional<Limit> own(Scope scope) {
    return limits.list(scope.tenant()).stream()
        .filter(limit -> limit.scope().equals(scope))
        .findFirst();
  }

  private static boolean isAdmin(Call call) {
    return call.caller().role().may(Access.ADMIN);
  }

  private static void requireAdmin(Call call, String what) {
    if (!isAdmin(call)) {
      throw new SluiceException(ErrorCode.FORBIDDEN, "only an admin may " + what);
    }
  }
}
