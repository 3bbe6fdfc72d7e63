package io.sluice.engine;

import io.sluice.Event;
import io.sluice.Health;
import io.sluice.HealthRules;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.Stats;
import io.sluice.store.Count;
import io.sluice.store.JobStore;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the whole: figures, health, and a line in the log now and then. */
final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** A rate out of fewer attempts than this says nothing. */
  private static final int FEW = 20;

  /** How far dead letters are counted, where all that matters is that there are too many. */
  private static final long MOST_DEAD = 100_000;

  private final JobStore store;
  private final Meter meter;
  private final Dispatcher dispatcher;
  private final Events events;
  private final HealthRules rules;
  private final IntSupplier stuckOutcomes;
  private boolean deadLettersOver;

  Watch(
      JobStore store,
      Meter meter,
      Dispatcher dispatcher,
      Events events,
      HealthRules rules,
      IntSupplier stuckOutcomes) {
    this.store = store;
    this.meter = meter;
    this.dispatcher = dispatcher;
    this.events = events;
    this.rules = rules;
    this.stuckOutcomes = stuckOutcomes;
  }

  Stats stats(@Nullable String tenant) {
    Instant now = store.now();
    Duration oldest =
        store.oldestReady(tenant).map(t -> Duration.between(t, now)).orElse(null);
    return new Stats(store.counts(tenant), oldest, work());
  }

  private Stats.Work work() {
    return meter.snapshot(dispatcher.runningNow());
  }

  Health health() {
    List<String> problems = new ArrayList<>();
    List<String> alerts = new ArrayList<>();
    look(work(), problems, alerts);
    try {
      look(store.unfinished(null), problems, alerts);
      over(alerts, "dead letters", deadLetters(), rules.alertDeadLetters());
    } catch (SluiceException e) {
      problems.add("store: " + e.getMessage());
    }
    return new Health(problems.isEmpty(), problems, alerts);
  }

  private void look(Stats.Work work, List<String> problems, List<String> alerts) {
    over(problems, "mean seconds", seconds(work.mean()), seconds(rules.unhealthyMeanTime()));
    over(problems, "stuck handlers", work.stuck(), 0);
    over(problems, "outcomes that cannot be written", stuckOutcomes.getAsInt(), 0);
    if (work.processed() >= FEW) {
      over(problems, "retry rate", work.retryRate(), rules.unhealthyRetryRate());
      over(alerts, "retry rate", work.retryRate(), rules.alertRetryRate());
    }
  }

  /** What is not over says all but how many are dead, so that health costs the same however many are kept. */
  private void look(List<Count> unfinished, List<String> problems, List<String> alerts) {
    long depth = unfinished.stream()
        .filter(c -> c.state() != JobState.RUNNING)
        .mapToLong(Count::jobs)
        .sum();
    over(problems, "jobs wait", depth, rules.unhealthyDepth());
    over(alerts, "jobs wait", depth, rules.alertDepth());
    List<WorkerRecord> live = store.workers().live();
    unfinished.stream()
        .filter(c -> c.state() == JobState.PENDING)
        .filter(c ->
            live.stream().noneMatch(w -> w.spec().handles(c.tenant(), c.queue(), c.type())))
        .forEach(c -> alerts.add(
            "no live worker handles type %s: %d jobs wait".formatted(c.type(), c.jobs())));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  private static void over(List<String> found, String what, Number is, Number mark) {
    if (is.doubleValue() > mark.doubleValue()) {
      found.add("%s: %s, over the mark of %s"
          .formatted(what, plain(is.doubleValue()), plain(mark.doubleValue())));
    }
  }

  private static String plain(double figure) {
    return figure == Math.rint(figure)
        ? String.valueOf((long) figure)
        : String.valueOf(Math.round(figure * 1000) / 1000.0);
  }

  private long deadLetters() {
    return store.deadLetters(Math.max(MOST_DEAD, rules.alertDeadLetters() + 1L));
  }

  Duration watchDeadLetters(Duration every) {
    long dead = deadLetters();
    boolean over = dead > rules.alertDeadLetters();
    if (over && !deadLettersOver) {
      events.tell(new Event.DeadLettersOver(store.now(), dead, rules.alertDeadLetters()));
    }
    deadLettersOver = over;
    return every;
  }

  Duration logStats(Duration every) {
    Stats stats = stats(null);
    String counts = words(stats.counts());
    Stats.Work work = stats.work();
    LOG.info(
        "running {}, processed {}, failed {}, dead {}, p95 {} ms; {}",
        work.running(),
        work.processed(),
        work.failed(),
        work.dead(),
        work.p95().toMillis(),
        counts.isEmpty() ? "no jobs" : counts);
    return every;
  }

  /** Each count, with its tenant where there is more than one. */
  static String words(List<Count> counts) {
    boolean many = counts.stream().map(Count::tenant).distinct().count() > 1;
    return counts.stream()
        .map(c -> (many ? c.tenant() + "/" : "") + c.queue() + "/" + c.type() + " " + c.state()
            + " " + c.jobs())
        .collect(Collectors.joining(", "));
  }
}
