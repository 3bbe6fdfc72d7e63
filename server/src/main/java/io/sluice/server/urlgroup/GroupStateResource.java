package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.http.Auth;
import io.sluice.http.Tokens;
import io.sluice.server.access.Access;
import io.sluice.server.breaker.BreakerView;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What there is to see of a URL group beside its settings, over REST. */
public final class GroupStateResource {
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final int LAST_ERRORS = 10;

  private record Metrics(
      Map<JobState, Long> jobs,
      Duration window,
      long completed,
      long failed,
      double failureRate,
      GroupFigures.Deliveries deliveries,
      GroupFigures.Latency latencyMs,
      List<GroupFigures.Delivery> lastErrors) {}

  /**
   * The health of a group.
   *
   * @param status unknown, passing or failing
   * @param jobsHeld true when the group's jobs wait for the check to pass
   */
  private record Health(
      String status,
      @Nullable Instant since,
      @Nullable Instant checkedAt,
      @Nullable Instant nextCheckAt,
      boolean jobsHeld,
      String detail,
      List<GroupHealth.Check> checks,
      BreakerView circuitBreaker) {}

  private record Deliveries(
      List<GroupFigures.Delivery> items, @Nullable String nextCursor) {}

  /**
   * What proves who calls, as it would be sent, with its secret hidden.
   *
   * @param detail why it does not work; null where it does
   */
  private record AuthTest(
      boolean ok,
      Map<String, String> headers,
      @Nullable Instant expiresAt,
      @Nullable Long durationMs,
      @Nullable String detail) {}

  private final UrlGroups groups;
  private final GroupJobs jobs;
  private final GroupBreakers breakers;
  private final GroupHealth health;
  private final GroupFigures figures;
  private final Tokens tokens;
  private final InstantSource clock;

  public GroupStateResource(
      UrlGroups groups,
      UrlGroupsResource.Hanging hanging,
      GroupHealth health,
      GroupFigures figures,
      Tokens tokens,
      InstantSource clock) {
    this.groups = groups;
    this.jobs = hanging.jobs();
    this.breakers = hanging.breakers();
    this.health = health;
    this.figures = figures;
    this.tokens = tokens;
    this.clock = clock;
  }

  public Routes addTo(Routes routes) {
    String one = "/v1/url-groups/{id}";
    return routes
        .get(one + "/metrics", Access.READ, this::metrics)
        .get(one + "/deliveries", Access.READ, this::deliveries)
        .get(one + "/health", Access.READ, UrlGroupsResource.plain(this::health))
        .get(one + "/auth/test", Access.READ, UrlGroupsResource.plain(this::testAuth));
  }

  private Answer metrics(Call call) {
    Duration window = window(call.query().only("window"));
    UrlGroup group = find(call);
    Figures counted = jobs.figures(group, window);
    Map<JobState, Long> byState = new TreeMap<>();
    for (JobState state : JobState.values()) {
      byState.put(state, counted.jobs(state));
    }
    GroupFigures.Sum sum = figures.sum(group.id(), window);
    return Answer.ok(new Metrics(
        byState,
        window,
        counted.completed(),
        counted.failed(),
        counted.failureRate(),
        sum.deliveries(),
        sum.latencyMs(),
        figures.recent(group.id(), true, null, LAST_ERRORS)));
  }

  private static Duration window(Query query) {
    Duration window = query.duration("window").orElse(WINDOW);
    if (window.compareTo(Duration.ofMinutes(1)) < 0 || window.compareTo(Tallies.KEPT) > 0) {
      throw new Invalid("window", "must be 1m to 24h");
    }
    return window;
  }

  private Answer deliveries(Call call) {
    int limit = call.query().onlyPaged("failed").limit();
    boolean onlyFailed = call.query().flag("failed");
    UUID before = call.query().cursor().map(GroupStateResource::cursor).orElse(null);
    UrlGroup group = find(call);
    List<GroupFigures.Delivery> found = figures.recent(group.id(), onlyFailed, before, limit + 1);
    List<GroupFigures.Delivery> shown = found.subList(0, Math.min(limit, found.size()));
    String next = found.size() > limit ? shown.getLast().id().toString() : null;
    return Answer.ok(new Deliveries(shown, next));
  }

  private static UUID cursor(String text) {
    return Checks.id(text, () -> new Invalid("cursor", "must be the nextCursor of a page"));
  }

  private Answer health(Call call) {
    UrlGroup group = find(call);
    BreakerView breaker = breakers.view(group);
    return Answer.ok(health
        .read(group.id())
        .map(state -> health(group, state, breaker))
        .orElseGet(() -> new Health(
            GroupHealth.UNKNOWN,
            null,
            null,
            null,
            false,
            "no health check is set",
            List.of(),
            breaker)));
  }

  private static Health health(UrlGroup group, GroupHealth.State state, BreakerView breaker) {
    GroupHealth.Check last = state.checks().isEmpty() ? null : state.checks().getFirst();
    return new Health(
        state.state(),
        state.since(),
        last == null ? null : last.at(),
        group.power().enabled() ? state.dueAt() : null,
        state.holds() && state.state().equals(GroupHealth.FAILING),
        detail(group, last),
        state.checks(),
        breaker);
  }

  private static String detail(UrlGroup group, GroupHealth.@Nullable Check last) {
    if (!group.power().enabled()) {
      return "the group is disabled and is not checked";
    }
    if (last == null) {
      return "the endpoint was not probed yet";
    }
    return last.reason() == null
        ? "the last check passed"
        : "the last check failed: " + last.reason();
  }

  private Answer testAuth(Call call) {
    UrlGroup group = find(call);
    Draft draft = groups.opened(group);
    AuthBody auth = draft.body().auth();
    Map<String, String> shown = auth == null ? Map.of() : auth.shown();
    return draft.group().auth() instanceof Auth.OAuth2 oauth2
        ? Answer.ok(tried(group, oauth2, shown))
        : Answer.ok(new AuthTest(true, shown, null, null, null));
  }

  /** Asks the token endpoint, as a delivery would. */
  private AuthTest tried(UrlGroup group, Auth.OAuth2 auth, Map<String, String> shown) {
    try {
      Tokens.Trial trial = tokens.trial(group.tenant(), group.name(), auth);
      Instant expires = clock.instant().plus(trial.lifetime());
      return new AuthTest(true, shown, expires, trial.took().toMillis(), null);
    } catch (AttemptFailure e) {
      return new AuthTest(false, Map.of(), null, null, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "this server stops");
    }
  }

  private UrlGroup find(Call call) {
    return groups.find(call.tenant(), call.path("id"));
  }
}
