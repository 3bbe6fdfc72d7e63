package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.http.Answer;
import io.sluice.http.Auth;
import io.sluice.http.Group;
import io.sluice.http.Probe;
import io.sluice.http.Tokens;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.access.TryLater;
import io.sluice.server.rest.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tries the credentials of groups with one real request each. A group is tried at most once in ten
 * seconds, by all servers together: a provider may lock out a client that asks too often.
 */
public final class AuthTrials {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration WITHIN = Duration.ofSeconds(10);
  /** Methods that change nothing at the receiver. */
  private static final Set<String> METHODS = Set.of("HEAD", "GET", "OPTIONS");

  private static final Set<Integer> REFUSALS = Set.of(401, 403, 407);

  /** The request to make; what is left out is {@code HEAD /}. */
  record TrialRequest(@Nullable String method, @Nullable String path) {
    private TrialRequest checked() {
      String verb = method == null ? "HEAD" : method.toUpperCase(Locale.ROOT);
      new Checks()
          .require(METHODS.contains(verb), "method", "must be HEAD, GET or OPTIONS")
          .require(path == null || path.startsWith("/"), "path", "must begin with /")
          .done();
      return new TrialRequest(verb, path == null ? "/" : path);
    }
  }

  /**
   * The outcome of a trial.
   *
   * @param ok true when the receiver answered, and not with 401, 403 or 407
   * @param headers what proved who calls, with its secret hidden
   * @param expiresAt when the token ends that was got for the request
   * @param detail why it did not work; null where it did
   */
  record TrialResult(
      boolean ok,
      @Nullable Integer status,
      Map<String, String> headers,
      @Nullable Instant expiresAt,
      @Nullable Long durationMs,
      @Nullable String detail) {}

  private final UrlGroups groups;
  private final Database database;
  private final Probe probe;
  private final Tokens tokens;
  private final InstantSource clock;

  public AuthTrials(
      UrlGroups groups, Database database, Probe probe, Tokens tokens, InstantSource clock) {
    this.groups = groups;
    this.database = database;
    this.probe = probe;
    this.tokens = tokens;
    this.clock = clock;
  }

  /** Makes the request; throws RATE_LIMITED where the group was tried a moment ago. */
  TrialResult make(UrlGroup group, TrialRequest asked) {
    TrialRequest request = asked.checked();
    Draft draft = groups.opened(group).at(clock.instant());
    AuthBody auth = draft.body().auth();
    Map<String, String> shown = auth == null ? Map.of() : auth.shown();
    takeTurn(group.id());
    try {
      return made(group.tenant(), draft.group(), request, shown);
    } catch (AttemptFailure e) {
      return new TrialResult(false, null, Map.of(), null, null, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "this server stops");
    }
  }

  private TrialResult made(
      String tenant, Group group, TrialRequest asked, Map<String, String> shown)
      throws AttemptFailure, InterruptedException {
    Instant expires = null;
    if (group.auth() instanceof Auth.OAuth2 oauth2) {
      // A token that is kept would hide that the credentials are no longer good.
      Tokens.Trial token = tokens.trial(tenant, group.name(), oauth2);
      expires = clock.instant().plus(token.lifetime());
    }
    Answer answer = probe.call(
        tenant,
        group,
        new Probe.ProbeRequest(String.valueOf(asked.method), String.valueOf(asked.path)),
        WITHIN);
    boolean refused = REFUSALS.contains(answer.status());
    return new TrialResult(
        !refused,
        answer.status(),
        shown,
        expires,
        answer.took().toMillis(),
        refused ? "the receiver answered " + answer.status() + " to these credentials" : null);
  }

  private void takeTurn(UUID group) {
    Optional<Long> wait = database.run(connection -> {
      try (Call call = database.call(connection, "take-auth-trial")) {
        return call
            .set("id", group)
            .set("pause_ms", PAUSE.toMillis())
            .list(row -> row.getLong("wait_ms"))
            .stream()
            .findFirst();
      }
    });
    // Positive where another turn was taken too short a while ago; none where the group is gone.
    if (wait.orElse(0L) > 0) {
      throw new TryLater(
          ErrorCode.RATE_LIMITED,
          "the credentials of this group were tried a moment ago; one request in "
              + PAUSE.toSeconds() + " s is made",
          Duration.ofMillis(wait.get()));
    }
  }
}
