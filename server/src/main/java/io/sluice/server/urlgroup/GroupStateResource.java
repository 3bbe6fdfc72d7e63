package io.sluice.server.urlgroup;

import io.sluice.JobState;
import io.sluice.server.access.Access;
import io.sluice.server.breaker.BreakerView;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import java.time.Duration;
import java.time.Instant;
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

  /** The headers that prove who calls, with their secrets hidden. */
  private record AuthHeaders(Map<String, String> headers) {}

  private final UrlGroups groups;
  private final GroupJobs jobs;
  private final GroupBreakers breakers;
  private final GroupHealth health;
  private final GroupFigures figures;
  private final AuthTrials trials;
  private final Cursors cursors;

  public GroupStateResource(
      UrlGroups groups,
      UrlGroupsResource.Hanging hanging,
      GroupHealth health,
      GroupFigures figures,
      AuthTrials trials) {
    this.groups = groups;
    this.jobs = hanging.jobs();
    this.breakers = hanging.breakers();
    this.health = health;
    this.figures = figures;
    this.trials = trials;
    this.cursors = hanging.cursors();
  }

  public Routes addTo(Routes routes) {
    String one = "/v1/url-groups/{id}";
    return routes
        .get(one + "/metrics", Access.READ, this::metrics)
        .get(one + "/deliveries", Access.READ, this::deliveries)
        .get(one + "/health", Access.READ, UrlGroupsResource.plain(this::health))
        .get(one + "/auth/test", Access.READ, UrlGroupsResource.plain(this::showAuth))
        .post(one + "/auth/test", Access.OPERATE, UrlGroupsResource.plain(this::testAuth));
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
    UrlGroup group = find(call);
    String list = (onlyFailed ? "failed deliveries of " : "deliveries of ") + group.id();
    String cursor = cursors.open(list, call.query());
    UUID before = cursor == null ? null : UUID.fromString(cursor);
    List<GroupFigures.Delivery> found = figures.recent(group.id(), onlyFailed, before, limit + 1);
    List<GroupFigures.Delivery> shown = found.subList(0, Math.min(limit, found.size()));
    String next = found.size() > limit ? shown.getLast().id().toString() : null;
    return Answer.ok(cursors.page(list, shown, next));
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

  private Answer showAuth(Call call) {
    // Opened, although nothing of it is shown: credentials that the vault cannot open do not work.
    AuthBody auth = groups.opened(find(call)).body().auth();
    return Answer.ok(new AuthHeaders(auth == null ? Map.of() : auth.shown()));
  }

  private Answer testAuth(Call call) {
    AuthTrials.TrialRequest asked = call.bodyOrEmpty(AuthTrials.TrialRequest.class);
    return Answer.ok(trials.make(find(call), asked));
  }

  private UrlGroup find(Call call) {
    return groups.find(call.tenant(), call.path("id"));
  }
}
