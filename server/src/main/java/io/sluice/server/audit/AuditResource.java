package io.sluice.server.audit;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The audit log, for admins to read. */
public final class AuditResource {
  private final AuditLog log;
  /** From the id of a tenant to its name; what is no id of one stays as it is. */
  private final UnaryOperator<String> tenantName;

  public AuditResource(AuditLog log, UnaryOperator<String> tenantName) {
    this.log = log;
    this.tenantName = tenantName;
  }

  public Routes addTo(Routes routes) {
    return routes.get("/v1/audit", Access.ADMIN, this::list);
  }

  private Answer list(Call call) {
    Query query = call.query().onlyPaged("tenant", "actor", "action", "from", "to");
    AuditLog.Filter filter = new AuditLog.Filter(
        query.text("tenant").map(tenantName).orElse(null),
        query.text("actor").orElse(null),
        query.text("action").orElse(null),
        query.time("from").orElse(null),
        query.time("to").orElse(null));
    UUID before = query
        .cursor()
        .map(text -> Checks.id(
            text, () -> new Invalid("cursor", "must be the nextCursor of the page before")))
        .orElse(null);
    return Answer.ok(log.page(filter, before, query.limit()));
  }
}
