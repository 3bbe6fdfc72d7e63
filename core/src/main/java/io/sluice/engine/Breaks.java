package io.sluice.engine;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.JobState;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a circuit breaker holds back, or the receiver behind it who wants to be left alone. */
final class Breaks {
  private static final String RESET = "; reset the breaker to go on at once.";

  private final Facts facts;
  private final Breaker breaker;

  Breaks(Facts facts, Breaker breaker) {
    this.facts = facts;
    this.breaker = breaker;
  }

  List<Reason> all() {
    List<Reason> found = new ArrayList<>();
    pushedBack().ifPresent(found::add);
    broken().ifPresent(found::add);
    return found;
  }

  private Optional<Reason> pushedBack() {
    Instant until = breaker.heldUntil();
    return until == null || !outlasts(until)
        ? Optional.empty()
        : Optional.of(new Reason(
            ReasonCode.GROUP_HELD,
            what() + " is held, for its receiver asked to be left alone until " + Words.time(until)
                + ".",
            until,
            "It goes on at that time" + RESET,
            details()));
  }

  private Optional<Reason> broken() {
    Instant until = breaker.openUntil();
    return switch (breaker.state()) {
      case CLOSED -> Optional.empty();
      case FORCED_OPEN ->
        Optional.of(reason(
            "is forced open since " + Words.time(breaker.changedAt()), null, "Reset the breaker."));
      case OPEN ->
        until != null && until.isAfter(facts.now())
            ? Optional.of(until).filter(this::outlasts).map(this::open)
            : due("was open" + Story.at(" until ", until) + " and waits for a job to try again");
      case HALF_OPEN -> due("is half-open" + probes());
    };
  }

  private Reason open(Instant until) {
    return reason("is open until " + Words.time(until), until, "Then a few jobs try again" + RESET);
  }

  /** What holds a job back only when it could run otherwise. */
  private Optional<Reason> due(String state) {
    return facts.job().state() == JobState.PENDING
        ? Optional.of(reason(state, null, "It closes when those that try are well" + RESET))
        : Optional.empty();
  }

  private String probes() {
    BreakerSettings settings = breaker.settings();
    Breaker.Probes probes = breaker.probes();
    return settings == null
        ? ""
        : " and lets " + Words.count(settings.halfOpenMaxRequests(), "job") + " try: "
            + probes.granted() + " began, and " + probes.passed()
            + (probes.passed() == 1 ? " was" : " were") + " well";
  }

  private Reason reason(String state, @Nullable Instant until, String remedy) {
    String name = Words.quoted(breaker.scope().key());
    return new Reason(
        ReasonCode.BREAKER_OPEN,
        "The circuit breaker " + name + " " + state + ".",
        until,
        remedy,
        details());
  }

  private Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("breaker", breaker.scope().key());
    details.put("state", breaker.state());
    details.put(
        breaker.scope().kind() == Scope.Kind.URL_GROUP ? "urlGroup" : "type",
        breaker.scope().name());
    return details;
  }

  private String what() {
    String name = Words.quoted(breaker.scope().name());
    return (breaker.scope().kind() == Scope.Kind.URL_GROUP ? "The URL group " : "The type ") + name;
  }

  /** True for a time to come at which the job would be due otherwise. */
  private boolean outlasts(Instant until) {
    Instant due = facts.job().status().runAt();
    return until.isAfter(facts.now()) && (due == null || until.isAfter(due));
  }
}
