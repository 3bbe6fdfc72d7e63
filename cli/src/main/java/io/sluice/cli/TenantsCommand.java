package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice tenants}. */
@Command(
    name = "tenants",
    description = "Makes and changes tenants, and shows what is theirs.",
    footer = {
      "",
      "Examples",
      "  sluice tenants create acme --max-size 100000",
      "  sluice tenants usage acme --from 2026-01-01",
      "  sluice tenants jobs acme --state dead"
    })
final class TenantsCommand {
  private final Console console;

  TenantsCommand(Console console) {
    this.console = console;
  }

  @Operation("listTenants")
  @Command(
      name = "list",
      description = "Lists tenants by name.",
      footer = {"", "Example", "  sluice tenants list --all"})
  int list(@Mixin Paging paging, @Mixin View view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.print(console, paging.fetch(rest, "/v1/tenants", new Rest.Query()), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .text("NAME")
        .text("STATE")
        .number("MAX RUNNING")
        .number("MAX SIZE")
        .text("LEVEL")
        .number("RATE")
        .text("CREATED");
    page.path("items")
        .valueStream()
        .forEach(tenant -> table.row(
            Json.text(tenant, "name"),
            tenant.path("enabled").asBoolean() ? "enabled" : "disabled",
            Thing.limit(tenant, "maxConcurrent"),
            Thing.limit(tenant, "maxSize"),
            Thing.limit(tenant, "level"),
            Speed.shown(tenant.path("rateLimit"), "per"),
            Times.ago(Json.text(tenant, "createdAt"), console.pace())));
    return table.isEmpty() ? "no tenants" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("readTenant")
  @Command(
      name = "show",
      description = "Shows a tenant.",
      footer = {"", "Example", "  sluice tenants show acme"})
  int show(@Mixin TenantName tenant, @Mixin View view, @Mixin Target target) {
    view.print(console, target.open(console).get(tenant.path()), t -> Thing.full(t, console));
    return Exit.OK.code();
  }

  @Operation("createTenant")
  @Command(
      name = "create",
      description = "Makes a tenant.",
      footer = {"", "Example", "  sluice tenants create acme --max-size 100000"})
  int create(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = "its name") @Nullable
          String name,
      @Mixin TenantOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console).set("name", name);
    JsonNode made = target.open(console).post("/v1/tenants", body.node());
    view.done(console, made, "tenant " + Json.text(made, "name") + " is made");
    return Exit.OK.code();
  }

  @Operation("changeTenant")
  @Command(
      name = "change",
      description = "Changes a tenant: what is given, and nothing else.",
      footer = {"", "Example", "  sluice tenants change acme --no-enabled"})
  int change(
      @Mixin TenantName tenant,
      @Mixin TenantOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console);
    JsonNode changed = target.open(console).put(tenant.path(), body.nodeOfChange());
    view.done(console, changed, "tenant " + Json.text(changed, "name") + " is changed");
    return Exit.OK.code();
  }

  @Operation("deleteTenant")
  @Command(
      name = "delete",
      description = "Deletes a tenant and what belongs to it.",
      footer = {"", "Example", "  sluice tenants delete acme --force"})
  int delete(
      @Mixin TenantName tenant,
      @Option(names = "--force", description = "cancels its unfinished jobs first") boolean force,
      @Mixin Confirm confirm,
      @Mixin Target target) {
    Rest rest = target.open(console);
    confirm.ask(
        console,
        "this deletes the tenant " + tenant.name() + " with its queues, URL groups and keys"
            + (force ? ", and cancels " + unfinished(rest, tenant) : ""));
    rest.delete(new Rest.Query().add("force", force ? "true" : null).at(tenant.path()), null);
    console.out().println("tenant " + tenant.name() + " is deleted");
    return Exit.OK.code();
  }

  private static String unfinished(Rest rest, TenantName tenant) {
    JsonNode stats = rest.forTenant(tenant.name()).get("/v1/stats");
    long jobs = stats.path("depth").asLong() + stats.path("running").asLong();
    return Words.count(jobs, "unfinished job");
  }

  @Operation("readUsage")
  @Command(
      name = "usage",
      description = "Shows by the day what a tenant used.",
      footer = {"", "Example", "  sluice tenants usage acme --from 2026-01-01 --to 2026-01-31"})
  int usage(
      @Mixin TenantName tenant,
      @Option(names = "--from", paramLabel = "DAY", description = "the first day (30 days ago)")
          @Nullable
          String from,
      @Option(names = "--to", paramLabel = "DAY", description = "the last day (today)") @Nullable
          String to,
      @Mixin View view,
      @Mixin Target target) {
    Rest.Query query = new Rest.Query().add("from", from).add("to", to);
    view.print(console, target.open(console).get(query.at(tenant.path("usage"))), this::days);
    return Exit.OK.code();
  }

  private String days(JsonNode usage) {
    Table table = new Table().text("DAY").number("PROCESSED").number("FAILED").number("REQUESTS");
    usage
        .path("items")
        .valueStream()
        .forEach(day -> table.row(
            Json.text(day, "day"),
            Counts.number(day.path("processedJobs").asLong()),
            Counts.number(day.path("failedJobs").asLong()),
            Counts.number(day.path("totalRequests").asLong())));
    return table.isEmpty() ? "no use" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("listQueuesOfTenant")
  @Command(
      name = "queues",
      description = "Lists the queues of a tenant.",
      footer = {"", "Example", "  sluice tenants queues acme"})
  int queues(
      @Mixin TenantName tenant, @Mixin Paging paging, @Mixin View view, @Mixin Target target) {
    JsonNode page = paging.fetch(target.open(console), tenant.path("queues"), new Rest.Query());
    view.print(console, page, queues -> QueuesCommand.table(queues, console));
    return Exit.OK.code();
  }

  @Operation("listUrlGroupsOfTenant")
  @Command(
      name = "url-groups",
      description = "Lists the URL groups of a tenant.",
      footer = {"", "Example", "  sluice tenants url-groups acme"})
  int urlGroups(
      @Mixin TenantName tenant, @Mixin Paging paging, @Mixin View view, @Mixin Target target) {
    JsonNode page = paging.fetch(target.open(console), tenant.path("url-groups"), new Rest.Query());
    view.print(console, page, new UrlGroupText(console)::list);
    return Exit.OK.code();
  }

  @Operation("listJobsOfTenant")
  @Command(
      name = "jobs",
      description = "Lists the jobs of a tenant, newest first.",
      footer = {"", "Example", "  sluice tenants jobs acme --state dead --from 1d"})
  int jobs(
      @Mixin TenantName tenant,
      @Mixin JobFilter filter,
      @Mixin StateFilter states,
      @Mixin Paging paging,
      @Mixin WholeJobs whole,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Rest.Query query = whole.in(filter.query(console.pace()).add("state", states.value()));
    view.show(
        console, () -> paging.fetch(rest, tenant.path("jobs"), query), new JobText(console)::list);
    return Exit.OK.code();
  }
}
