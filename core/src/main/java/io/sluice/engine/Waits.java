package io.sluice.engine;

import io.sluice.JobRecord;
import io.sluice.LimitState;
import io.sluice.RateLimit;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Scope;
import io.sluice.store.Standing;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a ready job waits for: its turn in an order, in a limit, on the workers, in its lane. */
final class Waits {
  /** What is left of a token that is as good as made good. */
  private static final double NOTHING = 0.001;

  private final Facts facts;
  private final JobRecord job;
  private final Standing standing;

  Waits(Facts facts) {
    this.facts = facts;
    this.job = facts.job();
    this.standing = facts.turn().standing();
  }

  /** Every reason that holds; with {@code moves}, what went by lately says when its turn comes. */
  List<Reason> all(boolean moves) {
    List<Reason> found = new ArrayList<>();
    ordered().ifPresent(found::add);
    for (LimitState limit : facts.turn().limits()) {
      concurrency(limit).ifPresent(found::add);
      rate(limit).ifPresent(found::add);
    }
    busy().ifPresent(found::add);
    if (standing.ahead() > 0) {
      found.add(ahead(moves));
    }
    return found;
  }

  private Optional<Reason> ordered() {
    JobRecord first = facts.turn().first();
    if (first == null) {
      return Optional.empty();
    }
    return Optional.of(new Reason(
        ReasonCode.ORDERED_BEHIND,
        "It runs in order behind job " + first.id() + ", which " + doing(first) + ".",
        first.status().runAt(),
        "It starts when that job is done or dead; cancel that job to go on without it.",
        Map.of("job", first.id(), "state", first.state())));
  }

  private static String doing(JobRecord first) {
    Instant at = first.status().runAt();
    return switch (first.state()) {
      case RUNNING ->
        "runs" + Story.on(first.status().worker())
            + Story.at(" since ", first.status().startedAt());
      case RETRYING -> "waits for its retry" + Story.at(" at ", at);
      case SCHEDULED -> "waits" + Story.at(" until ", at);
      case PENDING -> "is ready";
      default -> "has just ended";
    };
  }

  private Optional<Reason> concurrency(LimitState state) {
    Integer most = state.limit().concurrency();
    if (most == null || state.running() < most) {
      return Optional.empty();
    }
    Map<String, Object> details = details(state);
    details.put("running", state.running());
    details.put("concurrency", most);
    details.put("holders", shown(state));
    return Optional.of(new Reason(
        ReasonCode.CONCURRENCY_LIMITED,
        "The limit " + name(state) + " lets " + Words.count(most, "job") + " run at once, and "
            + state.running() + (state.running() == 1 ? " runs" : " run") + holders(state) + ".",
        null,
        "It starts when one of them ends; raise the limit to run more at once.",
        details));
  }

  private String holders(LimitState state) {
    Map<String, Integer> shown = shown(state);
    List<String> words = new ArrayList<>();
    shown.forEach((worker, jobs) -> words.add(jobs + " on " + Words.quoted(worker)));
    int others = state.running() - shown.values().stream().mapToInt(i -> i).sum();
    if (others > 0 && !words.isEmpty()) {
      words.add(others + " elsewhere");
    }
    return words.isEmpty() ? "" : ": " + Words.list(words);
  }

  /** Those who hold slots, without the workers of other tenants. */
  private Map<String, Integer> shown(LimitState state) {
    Map<String, Integer> shown = new TreeMap<>(state.holders());
    if (state.limit().scope().kind() == Scope.Kind.GLOBAL) {
      Set<String> known =
          facts.visible().stream().map(w -> w.spec().name()).collect(Collectors.toSet());
      shown.keySet().retainAll(known);
    }
    return shown;
  }

  private Optional<Reason> rate(LimitState state) {
    RateLimit rate = state.limit().rate();
    Instant next = state.nextStartAt();
    Instant free = state.resetsAt();
    Double spent = state.spent();
    if (rate == null || next == null || free == null || spent == null) {
      return Optional.empty();
    }
    int needed = Math.min(job.spec().cost(), rate.burst());
    // Not by the time of the next start: of a rate that is free that is now, and a little after our
    // now.
    if (spent <= rate.burst() - needed + NOTHING) {
      return Optional.empty();
    }
    Instant start =
        needed == 1 ? next : free.minus(rate.interval().multipliedBy(rate.burst() - needed));
    Map<String, Object> details = details(state);
    details.put("nextStartAt", start);
    details.put("ahead", standing.ahead());
    return Optional.of(new Reason(
        ReasonCode.RATE_LIMITED,
        "The limit " + name(state) + " lets " + Words.rate(rate) + ", and " + missing()
            + " may start at " + Words.time(start) + ", with " + others()
            + " ahead of this one in its " + line() + ".",
        start,
        "It starts when its turn has come; raise the limit to start more.",
        details));
  }

  private String missing() {
    int cost = job.spec().cost();
    return cost == 1
        ? "they are used up: the next"
        : "too few are left for one that counts for " + cost + ": such a job";
  }

  private static Map<String, Object> details(LimitState state) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("limit", state.limit().scope().key());
    return details;
  }

  private String name(LimitState state) {
    Scope scope = state.limit().scope();
    String key = scope.isPattern() ? " for " + Words.quoted(job.lane().limitKey()) : "";
    return Words.quoted(scope.key()) + key;
  }

  private Optional<Reason> busy() {
    List<WorkerRecord> takers = facts.takers();
    boolean free = takers.stream().anyMatch(w -> w.running() < w.spec().slots());
    if (free || takers.isEmpty()) {
      return Optional.empty();
    }
    List<String> each = takers.stream()
        .map(w -> Words.quoted(w.spec().name()) + " runs " + w.running()
            + (w.spec().tenant() == null ? " of " + w.spec().slots() : ""))
        .sorted()
        .toList();
    return Optional.of(new Reason(
        ReasonCode.WORKERS_BUSY,
        (each.size() == 1
                ? "The worker that handles it is"
                : "All " + each.size() + " workers that handle it are")
            + " busy: " + Words.list(each) + ".",
        null,
        "It starts when one of their jobs ends; more workers or slots run more at once.",
        Map.of("workers", takers.stream().map(w -> w.spec().name()).sorted().toList())));
  }

  private Reason ahead(boolean moves) {
    Instant turn = turn(moves);
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("ahead", standing.ahead());
    if (turn != null) {
      details.put("jobsPerSecond", perSecond());
    }
    return new Reason(
        ReasonCode.AHEAD,
        Words.opening(others()) + (standing.ahead() == 1 ? " is" : " are")
            + " ahead of it in its "
            + line() + estimate(turn, moves) + ".",
        turn,
        standing.behind() == null
            ? "Its turn comes when they have started; a job of a more urgent priority goes before them."
            : "Its turn comes when they are over, one after the other.",
        details);
  }

  private String estimate(@Nullable Instant turn, boolean moves) {
    if (turn != null) {
      return "; at " + Words.pace(perSecond()) + " its turn comes at about " + Words.time(turn);
    }
    return moves
        ? "; none of its lane ended lately, so there is no telling when its turn comes"
        : "";
  }

  private @Nullable Instant turn(boolean moves) {
    if (!moves || standing.ended() == 0) {
      return null;
    }
    return facts.now().plus(Duration.ofMillis(Math.round(standing.ahead() * 1_000 / perSecond())));
  }

  private double perSecond() {
    return standing.ended() * 1_000.0 / Math.max(1, standing.within().toMillis());
  }

  /** What it stands in: the order where it runs in one. */
  private String line() {
    return standing.behind() == null ? "lane" : "order";
  }

  private String others() {
    if (standing.ahead() == 0) {
      return "no job";
    }
    return standing.ahead() > Inquiry.MOST_AHEAD
        ? "more than " + Words.number(Inquiry.MOST_AHEAD) + " jobs"
        : Words.count(standing.ahead(), "job");
  }
}
