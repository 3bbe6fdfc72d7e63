package io.sluice.engine;

import io.sluice.Background;
import io.sluice.Breaker;
import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.Explanation;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.LimitState;
import io.sluice.QueueSettings;
import io.sluice.Result;
import io.sluice.RetryPolicy;
import io.sluice.Scope;
import io.sluice.Scope.Kind;
import io.sluice.store.JobStore;
import io.sluice.store.QueueRecord;
import io.sluice.store.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Gathers what there is to know of a job, for people who ask why it does not run. */
final class Inquiry {
  /** Nobody minds how many they are beyond this. */
  static final int MOST_AHEAD = 10_000;

  private final JobStore store;
  private final Map<String, JobType<?>> types;
  private final Predicate<Lane> held;
  private final Background background;
  private final Function<Lane, Optional<Duration>> leftAlone;

  /**
   * @param leftAlone how much longer this instance leaves the receiver of a lane alone
   */
  Inquiry(
      JobStore store,
      List<JobType<?>> types,
      Predicate<Lane> held,
      Background background,
      Function<Lane, Optional<Duration>> leftAlone) {
    this.store = store;
    this.types = types.stream().collect(Collectors.toUnmodifiableMap(JobType::name, t -> t));
    this.held = held;
    this.background = background;
    this.leftAlone = leftAlone;
  }

  Optional<Explanation> about(UUID job) {
    return store.find(job, Detail.STATE).map(this::facts).map(Explainer::explain);
  }

  private Facts facts(JobRecord job) {
    Instant now = store.now();
    Optional<QueueRecord> queue = store.queues().find(job.tenant(), job.queue());
    RetryPolicy policy = policy(job, queue.map(QueueRecord::settings));
    if (job.state().isFinal() || job.state() == JobState.RUNNING) {
      return new Facts(job, now, policy);
    }
    return new Facts(
        job,
        now,
        policy,
        queue.orElse(null),
        store.workers().live(),
        turnOf(job),
        new Facts.Holds(
            breakers(job.lane()),
            held.test(job.lane()),
            background.reasons(job),
            leftAlone.apply(job.lane()).map(now::plus).orElse(null)));
  }

  private List<Breaker> breakers(Lane lane) {
    return Scope.of(lane).stream()
        .filter(scope -> scope.kind() == Kind.URL_GROUP || scope.kind() == Kind.TYPE)
        .flatMap(scope -> store.breakers().find(scope).stream())
        .toList();
  }

  private RetryPolicy policy(JobRecord job, Optional<QueueSettings> queue) {
    return Optional.ofNullable(job.spec().retry())
        .or(() -> background.retry(job))
        .or(() -> Optional.ofNullable(types.get(job.type())).flatMap(JobType::retry))
        .or(() -> queue.map(QueueSettings::retry))
        .orElse(Defaults.RETRY);
  }

  private Facts.Turn turnOf(JobRecord job) {
    if (Facts.isTied(job)) {
      return Facts.Turn.after(before(job.id()));
    }
    return job.state() == JobState.PENDING ? turn(job) : Facts.Turn.NONE;
  }

  /** Those that a job waits for; whether one is a batch is looked up for as many as are told of. */
  private List<Facts.Before> before(UUID job) {
    List<Facts.Before> before = new ArrayList<>();
    int asked = 0;
    for (Result result : store.links().predecessors(job)) {
      boolean asks = result.state() != JobState.COMPLETED && asked++ < 2 * Words.FEW;
      before.add(
          new Facts.Before(result, asks ? store.links().find(result.id()).orElse(null) : null));
    }
    return before;
  }

  private Facts.Turn turn(JobRecord job) {
    Standing standing = store.standing(job.id(), MOST_AHEAD + 1);
    UUID behind = standing.behind();
    JobRecord first = behind == null ? null : store.find(behind, Detail.STATE).orElse(null);
    List<LimitState> limits =
        List.copyOf(store.limits().states(Scope.of(job.lane())).values());
    return new Facts.Turn(standing, first, limits);
  }
}
