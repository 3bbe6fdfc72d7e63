package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.http.Auth;
import io.sluice.http.Tokens;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What there is to see of a URL group beside its settings, over REST. */
public final class GroupStateResource {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private record Metrics(
      Map<JobState, Long> jobs, Duration window, long completed, long failed, double failureRate) {}

  private record Health(
      String status, @Nullable Instant checkedAt, String detail, GroupJobs.Breaker circuitBreaker) {}

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
  private final Tokens tokens;
  private final InstantSource clock;

  public GroupStateResource(
      UrlGroups groups, GroupJobs jobs, Tokens tokens, InstantSource clock) {
    this.groups = groups;
    this.jobs = jobs;
    this.tokens = tokens;
    this.clock = clock;
  }

  public Routes addTo(Routes routes) {
    String one = "/v1/url-groups/{id}";
    return routes
        .get(one + "/metrics", Access.READ, UrlGroupsResource.plain(this::metrics))
        .get(one + "/health", Access.READ, UrlGroupsResource.plain(this::health))
        .get(one + "/auth/test", Access.READ, UrlGroupsResource.plain(this::testAuth));
  }

  private Answer metrics(Call call) {
    Figures figures = jobs.figures(find(call), WINDOW);
    Map<JobState, Long> byState = new TreeMap<>();
    for (JobState state : JobState.values()) {
      byState.put(state, figures.jobs(state));
    }
    return Answer.ok(
        new Metrics(byState, WINDOW, figures.completed(), figures.failed(), figures.failureRate()));
  }

  private Answer health(Call call) {
    UrlGroup group = find(call);
    boolean checked = group.settings().healthCheck() != null;
    return Answer.ok(new Health(
        "unknown",
        null,
        checked ? "the endpoint was not probed yet" : "no health check is set",
        jobs.breaker(group)));
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
