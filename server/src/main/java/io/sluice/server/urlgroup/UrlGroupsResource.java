package io.sluice.server.urlgroup;

import io.sluice.Breaker;
import io.sluice.http.AddressGuard;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.audit.Changes;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Endpoint;
import io.sluice.server.rest.FieldError;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.urlgroup.UrlGroupBody.RateLimits;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** URL groups over REST. */
public final class UrlGroupsResource {
  private static final Duration OVERLAP = Duration.ofHours(24);
  private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
  private static final int SECRET_BYTES = 32;

  /** Of these a change leaves what it does not give. */
  private static final Set<String> INNER =
      Set.of("retry", "rateLimits", "circuitBreaker", "healthCheck", "signing");

  private record Rotation(@Nullable Duration overlap) {}

  /** The only time that the secret is shown. */
  private record Rotated(String secret, @Nullable Instant previousUntil) {}

  /** What hangs on groups, and what continues their lists. */
  public record Hanging(
      GroupJobs jobs,
      GroupQueues queues,
      GroupHolds holds,
      GroupBreakers breakers,
      Cursors cursors) {}

  private final UrlGroups groups;
  private final GroupJobs jobs;
  private final GroupQueues queues;
  private final GroupHolds holds;
  private final GroupBreakers breakers;
  private final Cursors cursors;
  private final GroupChecks checks;
  private final Audit audit;
  private final Changes changes = new Changes(new Json());
  private final InstantSource clock;
  private final SecureRandom random;

  public UrlGroupsResource(
      UrlGroups groups,
      Hanging hanging,
      AddressGuard guard,
      Audit audit,
      InstantSource clock,
      SecureRandom random) {
    this.groups = groups;
    this.jobs = hanging.jobs;
    this.queues = hanging.queues;
    this.holds = hanging.holds;
    this.breakers = hanging.breakers;
    this.cursors = hanging.cursors;
    this.checks = new GroupChecks(guard);
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  public Routes addTo(Routes routes) {
    String one = "/v1/url-groups/{id}";
    return routes
        .post("/v1/url-groups", Access.OPERATE, plain(this::create))
        .get("/v1/url-groups", Access.READ, this::list)
        .get(one, Access.READ, plain(call -> Answer.ok(view(find(call)))))
        .put(one, Access.OPERATE, plain(this::change))
        .delete(one, Access.OPERATE, this::delete)
        .post(one + "/auth", Access.OPERATE, plain(this::setAuth))
        .get(one + "/rate-limits", Access.READ, plain(call -> Answer.ok(limits(find(call)))))
        .put(one + "/rate-limits", Access.OPERATE, plain(this::setLimits))
        .get(
            one + "/circuit-breaker",
            Access.READ,
            plain(call -> Answer.ok(breakers.view(find(call)))))
        .post(one + "/circuit-breaker/reset", Access.OPERATE, plain(this::resetBreaker))
        .post(one + "/circuit-breaker/open", Access.OPERATE, plain(this::openBreaker))
        .post(one + "/secrets/rotate", Access.OPERATE, plain(this::rotate));
  }

  /** For a route that takes no query. */
  static Endpoint plain(Endpoint endpoint) {
    return call -> {
      call.query().only();
      return endpoint.handle(call);
    };
  }

  /** The groups of the tenant that the call is about. */
  public Answer list(Call call) {
    int limit = call.query().onlyPaged().limit();
    String list = "URL groups of " + call.tenant();
    List<UrlGroup> found = groups.page(call.tenant(), cursors.open(list, call.query()), limit + 1);
    List<UrlGroup> shown = found.subList(0, Math.min(limit, found.size()));
    String next = found.size() > limit ? shown.getLast().name() : null;
    return Answer.ok(cursors.page(list, views(call.tenant(), shown), next));
  }

  private Answer create(Call call) {
    UrlGroupBody asked = call.body(UrlGroupBody.class);
    Draft draft = checks.checked(asked, Draft.EMPTY);
    String name = String.valueOf(asked.name());
    UrlGroup made = groups.add(call.tenant(), name, draft, note(call, "create", name));
    breakers.saved(made);
    holds.look();
    return Answer.created(view(made));
  }

  private Answer change(Call call) {
    return Answer.ok(view(changed(call, "change", current -> over(current, call))));
  }

  private static UrlGroupBody over(UrlGroupBody current, Call call) {
    UrlGroupBody asked = call.changed(current, UrlGroupBody.class, INNER);
    RateLimits given = call.body(UrlGroupBody.class).rateLimits();
    RateLimits limits = asked.rateLimits();
    return given == null || limits == null ? asked : asked.withRateLimits(limits.anew(given));
  }

  private Answer setAuth(Call call) {
    AuthBody auth = call.body(AuthBody.class);
    return Answer.ok(view(changed(call, "auth", current -> current.withAuth(auth))));
  }

  private Answer setLimits(Call call) {
    try {
      return Answer.ok(limits(changed(
          call,
          "rate-limits",
          current -> current.withRateLimits(
              call.changed(limits(current), RateLimits.class).anew(call.body(RateLimits.class))))));
    } catch (Invalid e) {
      throw new Invalid(e.errors().stream().map(UrlGroupsResource::alone).toList());
    }
  }

  /** What is wrong with a rate limit, where the limits are the whole body. */
  private static FieldError alone(FieldError error) {
    String outer = "rateLimits.";
    return error.field().startsWith(outer)
        ? new FieldError(error.field().substring(outer.length()), error.message())
        : error;
  }

  private interface Change {
    UrlGroupBody of(UrlGroupBody current);
  }

  private UrlGroup changed(Call call, String action, Change change) {
    UrlGroup group = find(call);
    UrlGroup changed = groups.change(
        group.tenant(),
        group.id(),
        before -> {
          Draft current = before.at(clock.instant());
          UrlGroupBody asked = change.of(current.body());
          if (!group.name().equals(asked.name())) {
            throw new Invalid("name", "must stay '" + group.name() + "': a name cannot be changed");
          }
          return checks.checked(asked, current);
        },
        note(call, action, group.name()));
    breakers.saved(changed);
    // Here at once what other instances see within a second.
    holds.look();
    return changed;
  }

  private Answer delete(Call call) {
    boolean force = call.query().only("force").flag("force");
    UrlGroup group = find(call);
    if (force) {
      queues.release(
          group.tenant(),
          group.name(),
          queue -> audit.write(call.caller(), group.tenant(), "queue.change", queue));
    } else {
      queues.requireNone(group.tenant(), group.name());
    }
    jobs.clear(group.tenant(), group.name(), force);
    groups.delete(group.tenant(), group.id(), note(call, "delete", group.name()));
    breakers.removed(group);
    return Answer.none();
  }

  private Answer resetBreaker(Call call) {
    UrlGroup group = find(call);
    Audit.AuditLine line = line(call, "breaker.reset", group.name(), null);
    return Answer.ok(audit.around(line, () -> breakers.reset(group)));
  }

  private Answer openBreaker(Call call) {
    UrlGroup group = find(call);
    Audit.AuditLine line = line(call, "breaker.open", group.name(), null);
    return Answer.ok(audit.around(line, () -> breakers.open(group)));
  }

  private Answer rotate(Call call) {
    Duration asked = call.bodyOrEmpty(Rotation.class).overlap();
    Duration overlap = asked == null ? OVERLAP : asked;
    new Checks()
        .require(overlap.compareTo(LONGEST_OVERLAP) <= 0, "overlap", "must be at most 720h")
        .done();
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = "whsec_" + Base64.getEncoder().encodeToString(bytes);
    UrlGroup group = find(call);
    Instant now = clock.instant();
    UrlGroup rotated = groups.change(
        group.tenant(),
        group.id(),
        before -> before.at(now).rotated(secret, now.plus(overlap)),
        note(call, "secret.rotate", group.name()));
    return Answer.ok(new Rotated(secret, rotated.previousUntil()));
  }

  private UrlGroupView view(UrlGroup group) {
    boolean failing = holds.failing(group.tenant()).contains(group.name());
    Standing standing = Standing.of(group, breakers.find(group).orElse(null), failing);
    return UrlGroupView.of(group, standing, clock.instant());
  }

  private List<UrlGroupView> views(String tenant, List<UrlGroup> shown) {
    Set<String> failing = holds.failing(tenant);
    Map<String, Breaker> known = breakers.ofTenant(tenant);
    Instant now = clock.instant();
    return shown.stream()
        .map(group -> UrlGroupView.of(
            group,
            Standing.of(group, known.get(group.name()), failing.contains(group.name())),
            now))
        .toList();
  }

  private static RateLimits limits(UrlGroup group) {
    return limits(group.settings());
  }

  private static RateLimits limits(UrlGroupBody settings) {
    RateLimits limits = settings.rateLimits();
    return limits == null ? RateLimits.NONE : limits;
  }

  private UrlGroup find(Call call) {
    return groups.find(call.tenant(), call.path("id"));
  }

  private static Audit.AuditLine line(
      Call call, String action, String name, @Nullable String details) {
    return new Audit.AuditLine(call.caller(), call.tenant(), "url-group." + action, name, details);
  }

  /** What is to be written of a change: each setting that is another one, and which secrets are. */
  private UrlGroups.ChangeNote note(Call call, String action, String name) {
    return (connection, before, after) -> {
      String details = after.equals(Draft.EMPTY)
          ? null
          : changes.between(
              before.body(), after.body(), after.secrets().differences(before.secrets()));
      audit.write(connection, line(call, action, name, details));
    };
  }
}
