package io.sluice.server.audit;

import io.sluice.Page;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The audit log, for admins to read. */
public final class AuditResource {
  private final AuditLog log;
  /** From the id of a tenant to its name; what is no id of one stays as it is. */
  private final UnaryOperator<String> tenantName;

  private final Cursors cursors;

  public AuditResource(AuditLog log, UnaryOperator<String> tenantName, Cursors cursors) {
    this.log = log;
    this.tenantName = tenantName;
    this.cursors = cursors;
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
    String list = "audit " + filter;
    String cursor = cursors.open(list, query);
    UUID before = cursor == null ? null : UUID.fromString(cursor);
    Page<AuditEntry> page = log.page(filter, before, query.limit());
    return Answer.ok(cursors.page(list, page.items(), page.nextCursor()));
  }
}
