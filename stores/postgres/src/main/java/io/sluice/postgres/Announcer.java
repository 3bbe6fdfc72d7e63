package io.sluice.postgres;

import io.sluice.JobState;
import io.sluice.Uuid7;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells, after a commit, what it brought: this process where ready jobs came in behind its marks, all
 * processes that there is work, and asks whether batches are over.
 */
final class Announcer {
  private final LowWater lowWater;
  private final Signals signals;
  private final Settler settler;

  Announcer(Database database, LowWater lowWater, Signals signals) {
    this.lowWater = lowWater;
    this.signals = signals;
    this.settler = new Settler(database, this::tell);
  }

  Settler settler() {
    return settler;
  }

  void inserted(List<Answer> answers) {
    taken(answers).map(Answer.Taken::id).min(Uuid7.ORDER).ifPresent(lowWater::cameIn);
    signals.ready(lanes(answers));
    payloads(answers).forEach(signals::tell);
  }

  void inserted(Inserter.Inserted inserted) {
    inserted(inserted.answers());
    woken(inserted.woken());
  }

  /** Tells of what went on because others ended, and asks about the batches of those. */
  void woken(Woken woken) {
    tell(woken);
    if (!woken.asked().isEmpty()) {
      settler.ask(woken.asked());
    }
  }

  private void tell(Woken woken) {
    woken.ready().stream().min(Uuid7.ORDER).ifPresent(lowWater::cameIn);
    payloads(woken, false).forEach(signals::tell);
  }

  static List<String> payloads(List<Answer> answers) {
    return taken(answers)
        .filter(taken -> !taken.state().isFinal())
        .map(taken -> taken.state() == JobState.PENDING ? Signals.WORK : Signals.LATER)
        .distinct()
        .toList();
  }

  /** The lanes in which there is ready work now. */
  static Set<Integer> lanes(List<Answer> answers) {
    Set<Integer> lanes = new HashSet<>();
    int last = 0;
    for (Answer answer : answers) {
      // Jobs of one call are of one lane as a rule.
      if (answer instanceof Answer.Taken taken && taken.isReady() && taken.lane() != last) {
        last = taken.lane();
        lanes.add(last);
      }
    }
    return lanes;
  }

  /** What to tell of those that went on; of work also when a limited queue may run more. */
  static List<String> payloads(Woken woken, boolean freed) {
    return Stream.concat(
            freed || !woken.ready().isEmpty() ? Stream.of(Signals.WORK) : Stream.empty(),
            woken.planned() ? Stream.of(Signals.LATER) : Stream.empty())
        .toList();
  }

  private static Stream<Answer.Taken> taken(List<Answer> answers) {
    return answers.stream()
        .filter(answer -> answer instanceof Answer.Taken taken && !taken.duplicate())
        .map(answer -> (Answer.Taken) answer);
  }
}
