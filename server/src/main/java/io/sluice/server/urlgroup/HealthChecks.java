package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.http.Answer;
import io.sluice.http.Probe;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the health checks that are this instance's turn, some at a time, and says what they found. */
public final class HealthChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
  private static final int AT_ONCE = 64;
  /** However long a check took, its receiver gets so much rest. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(500);

  private static final int LONGEST_REASON = 500;

  /** What tells the time, and makes ids. */
  public record Tools(InstantSource clock, LongSupplier nanoTime, Uuid7 ids) {}

  private final GroupHealth health;
  private final UrlGroups groups;
  private final Probe probe;
  private final GroupHolds holds;
  private final Tools tools;
  private final Semaphore free = new Semaphore(AT_ONCE);
  private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
      Thread.ofVirtual().name("sluice-health").factory());

  public HealthChecks(
      GroupHealth health, UrlGroups groups, Probe probe, GroupHolds holds, Tools tools) {
    this.health = health;
    this.groups = groups;
    this.probe = probe;
    this.holds = holds;
    this.tools = tools;
  }

  /** Takes what is due and begins it; to be called a few times a second. */
  public void round() {
    int room = free.availablePermits();
    if (room == 0) {
      return;
    }
    for (GroupHealth.Turn turn : health.claim(tools.ids.next(), room)) {
      free.acquireUninterruptibly();
      threads.execute(() -> {
        try {
          make(turn);
        } catch (SluiceException e) {
          LOG.warn(
              "the health check of URL group {} was not noted: {}",
              turn.group().name(),
              e.getMessage());
        } finally {
          free.release();
        }
      });
    }
  }

  private void make(GroupHealth.Turn turn) {
    UrlGroupBody.HealthCheck settings = turn.group().settings().healthCheck();
    if (settings == null) {
      return;
    }
    HealthRules rules = HealthRules.of(settings);
    Instant at = tools.clock.instant();
    long begun = tools.nanoTime.getAsLong();
    GroupHealth.Check check;
    try {
      check = look(turn.group(), rules, at, begun);
    } catch (InterruptedException e) {
      // Another instance makes it when the claim is over.
      Thread.currentThread().interrupt();
      return;
    }
    Duration rest = rules.interval().minus(since(begun));
    health
        .report(turn, rules, check, rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest)
        .filter(state -> !state.equals(turn.state()))
        .ifPresent(state -> changed(turn, state, check));
  }

  private GroupHealth.Check look(UrlGroup group, HealthRules rules, Instant at, long begun)
      throws InterruptedException {
    try {
      Answer answer = probe.get(
          group.tenant(), groups.opened(group).at(at).group(), rules.endpoint(), rules.timeout());
      String fault = rules.fault(answer).orElse(null);
      return check(at, begun, answer.status(), fault);
    } catch (AttemptFailure e) {
      return check(at, begun, null, e.getMessage());
    } catch (SluiceException e) {
      return check(at, begun, null, "no request could be made: " + e.getMessage());
    }
  }

  private GroupHealth.Check check(
      Instant at, long begun, @Nullable Integer status, @Nullable String fault) {
    String reason = fault != null && fault.length() > LONGEST_REASON
        ? fault.substring(0, LONGEST_REASON)
        : fault;
    return new GroupHealth.Check(at, fault == null, status, since(begun).toMillis(), reason);
  }

  private Duration since(long begun) {
    return Duration.ofNanos(tools.nanoTime.getAsLong() - begun);
  }

  private void changed(GroupHealth.Turn turn, String state, GroupHealth.Check check) {
    if (check.passed()) {
      LOG.info(
          "URL group {} of tenant {} is {}: its health check passed",
          turn.group().name(),
          turn.group().tenant(),
          state);
    } else {
      LOG.warn(
          "URL group {} of tenant {} is {}: {}",
          turn.group().name(),
          turn.group().tenant(),
          state,
          check.reason());
    }
    holds.look();
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
