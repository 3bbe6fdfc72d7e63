package io.sluice.server.breaker;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.ErrorCode;
import io.sluice.Names;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.audit.Changes;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Endpoint;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.store.Breakers;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The breakers of job types over REST. Those of URL groups are with their groups. */
public final class BreakersResource {
  private final Breakers breakers;
  private final Audit audit;
  private final Cursors cursors;
  private final Changes changes = new Changes(new Json());

  public BreakersResource(Breakers breakers, Audit audit, Cursors cursors) {
    this.breakers = breakers;
    this.audit = audit;
    this.cursors = cursors;
  }

  public Routes addTo(Routes routes) {
    String one = "/v1/circuit-breakers/{type}";
    return routes
        .get("/v1/circuit-breakers", Access.READ, this::list)
        .get(one, Access.READ, plain(call -> Answer.ok(view(found(call)))))
        .put(one, Access.OPERATE, plain(this::change))
        .delete(one, Access.OPERATE, plain(this::delete))
        .post(one + "/reset", Access.OPERATE, plain(this::reset))
        .post(one + "/open", Access.OPERATE, plain(this::open));
  }

  /** For a route that takes no query. */
  private static Endpoint plain(Endpoint endpoint) {
    return call -> {
      call.query().only();
      return endpoint.handle(call);
    };
  }

  private Answer list(Call call) {
    int limit = call.query().onlyPaged().limit();
    String list = "circuit breakers of " + call.tenant();
    String cursor = cursors.open(list, call.query());
    String after = cursor == null ? "" : cursor;
    List<BreakerView> found = breakers.list(call.tenant()).stream()
        .filter(BreakersResource::isShown)
        .filter(breaker -> breaker.scope().name().compareTo(after) > 0)
        .limit(limit + 1L)
        .map(BreakersResource::view)
        .toList();
    List<BreakerView> shown = found.subList(0, Math.min(limit, found.size()));
    String next = found.size() > limit ? shown.getLast().type() : null;
    return Answer.ok(cursors.page(list, shown, next));
  }

  /** What is on a type, and is set or does something. */
  private static boolean isShown(Breaker breaker) {
    return breaker.scope().kind() == Scope.Kind.TYPE
        && (breaker.settings() != null || breaker.state() != BreakerState.CLOSED);
  }

  private static BreakerView view(Breaker breaker) {
    return BreakerView.ofType(breaker);
  }

  private static Scope scope(Call call) {
    return Scope.type(call.tenant(), call.path("type"));
  }

  private Optional<Breaker> find(Call call) {
    return breakers.find(scope(call)).filter(BreakersResource::isShown);
  }

  private Breaker found(Call call) {
    return find(call)
        .orElseThrow(() -> new SluiceException(
            ErrorCode.NOT_FOUND, "there is no breaker on type '" + call.path("type") + "'"));
  }

  private Answer change(Call call) {
    checkType(call);
    BreakerBody before = BreakerBody.of(find(call).map(Breaker::settings).orElse(null));
    BreakerBody asked = call.changed(before, BreakerBody.class);
    Checks checks = new Checks();
    asked.check(checks, "");
    checks.done();
    BreakerSettings settings = asked.settings();
    String details = changes.between(null, asked);
    return Answer.ok(view(audit.around(
        line(call, "breaker.change", details), () -> breakers.save(scope(call), settings))));
  }

  private static void checkType(Call call) {
    Checks checks = new Checks();
    checks.take("type", () -> Names.checkType(call.path("type")));
    checks.done();
  }

  private Answer delete(Call call) {
    found(call);
    audit.around(line(call, "breaker.delete", null), () -> breakers.delete(scope(call)));
    return Answer.none();
  }

  private Answer reset(Call call) {
    found(call);
    Audit.AuditLine line = line(call, "breaker.reset", null);
    return Answer.ok(view(audit.around(line, () -> breakers.reset(scope(call)))));
  }

  private Answer open(Call call) {
    checkType(call);
    Audit.AuditLine line = line(call, "breaker.open", null);
    return Answer.ok(view(audit.around(line, () -> breakers.forceOpen(scope(call)))));
  }

  private static Audit.AuditLine line(Call call, String action, @Nullable String details) {
    return new Audit.AuditLine(call.caller(), call.tenant(), action, call.path("type"), details);
  }
}
