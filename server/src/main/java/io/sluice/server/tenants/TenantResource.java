package io.sluice.server.tenants;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Marks;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.store.TenantSize;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tenants over REST. An admin sees and changes all of them, anyone else reads its own. */
public final class TenantResource {
  private static final String ONE = "/v1/tenants/{id}";
  private static final Set<String> LISTS = Set.of("/v1/queues", "/v1/jobs", "/v1/url-groups");

  private static final Set<String> INNER = Set.of("quotas");

  private static final String LIST = "tenants";

  private final Tenants tenants;
  private final TenantEnd end;
  private final Marks marks;
  private final Cursors cursors;

  public TenantResource(Tenants tenants, TenantEnd end, Marks marks, Cursors cursors) {
    this.tenants = tenants;
    this.end = end;
    this.marks = marks;
    this.cursors = cursors;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/tenants", Access.ADMIN, this::create)
        .get("/v1/tenants", Access.ADMIN, this::list)
        .get(ONE, Access.READ, this::read)
        .put(ONE, Access.ADMIN, this::change)
        .delete(ONE, Access.ADMIN, this::delete);
  }

  /**
   * Adds {@code /v1/tenants/{id}/queues} and the like for every such list that the table has: it answers
   * for the tenant in the path what that list answers for the tenant that calls.
   */
  public Routes addListsTo(Routes routes) {
    List.copyOf(routes.all()).stream()
        .filter(route -> route.method().equals("GET") && LISTS.contains(route.path()))
        .forEach(route -> routes.get(
            route.path().replace("/v1", ONE),
            route.access(),
            call -> route.endpoint().handle(call.about(inPath(call).name()))));
    return routes;
  }

  private Tenant inPath(Call call) {
    return tenants.seenBy(call.caller(), call.path("id"));
  }

  private Answer create(Call call) {
    call.query().only();
    TenantSettings settings = call.changed(TenantSettings.NEW, TenantSettings.class, INNER);
    String name = settings.checkedName();
    if (tenants.was(name)) {
      refuse(end.leavesJobs(name), "jobs of a deleted tenant '" + name + "' are still kept");
      tenants.forget(name);
    }
    Tenant made = tenants
        .create(settings, call.caller())
        .orElseThrow(() -> conflict("there is a tenant '" + name + "' already"));
    return Answer.created(view(made)).with("Location", "/v1/tenants/" + made.id());
  }

  private Answer list(Call call) {
    Query query = call.query().onlyPaged();
    int limit = query.limit();
    List<Tenant> found = tenants.list(cursors.open(LIST, query), limit + 1);
    List<Tenant> shown = found.subList(0, Math.min(limit, found.size()));
    return Answer.ok(
        cursors.page(LIST, views(shown), found.size() > limit ? shown.getLast().name() : null));
  }

  private Answer read(Call call) {
    call.query().only();
    return Answer.ok(view(inPath(call)));
  }

  private TenantView view(Tenant tenant) {
    return views(List.of(tenant)).getFirst();
  }

  private List<TenantView> views(List<Tenant> shown) {
    Map<String, TenantSize> sizes =
        shown.stream().anyMatch(tenant -> tenant.maxSize() != null) ? tenants.sizes() : Map.of();
    return shown.stream()
        .map(tenant -> TenantView.of(tenant, sizes.get(tenant.name()), marks))
        .toList();
  }

  private Answer change(Call call) {
    call.query().only();
    Tenant changed =
        tenants.change(inPath(call).name(), before -> changed(call, before), call.caller());
    return Answer.ok(view(changed));
  }

  private static TenantSettings changed(Call call, TenantSettings before) {
    TenantSettings settings =
        call.changed(before, TenantSettings.class, INNER).over(before.marks());
    new Checks()
        .require(
            String.valueOf(before.name()).equals(settings.name()),
            "name",
            "must stay '" + before.name() + "': a name cannot be changed")
        .done();
    settings.checkedName();
    return settings;
  }

  private Answer delete(Call call) {
    boolean force = call.query().only("force").flag("force");
    Tenant tenant = inPath(call);
    String name = tenant.name();
    refuse(name.equals(Defaults.TENANT), "the tenant '" + name + "' cannot be deleted");
    refuse(
        !force && end.hasUnfinishedJobs(name),
        "tenant '" + name + "' has jobs that are not finished; ?force=true cancels them");
    tenants.delete(tenant, call.caller());
    end.of(name);
    return Answer.none();
  }

  private static void refuse(boolean when, String why) {
    if (when) {
      throw conflict(why);
    }
  }

  private static SluiceException conflict(String why) {
    return new SluiceException(ErrorCode.CONFLICT, why);
  }
}
