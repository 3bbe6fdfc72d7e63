package io.sluice.engine;

import io.sluice.Event;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends attempts whose time is up, without ever waiting for the store: those past their timeout, and
 * all of them when the lease has run out. A handler that goes on although it was interrupted loses
 * its slot after a grace, so that it cannot hold up others. It is also the dispatcher's clock.
 */
final class Timekeeper {
  private static final Logger LOG = LoggerFactory.getLogger(Timekeeper.class);
  private static final long TICK = Duration.ofMillis(50).toNanos();
  private static final long GRACE = Duration.ofSeconds(2).toNanos();

  private final Tools tools;
  private final Lease lease;
  private final Dispatcher dispatcher;
  private final Runner runner;
  private final Events events;
  private final Meter meter;

  Timekeeper(
      Tools tools, Lease lease, Dispatcher dispatcher, Runner runner, Events events, Meter meter) {
    this.tools = tools;
    this.lease = lease;
    this.dispatcher = dispatcher;
    this.runner = runner;
    this.events = events;
    this.meter = meter;
  }

  Duration runOnce() {
    dispatcher.tick();
    long now = tools.nanoTime().getAsLong();
    boolean lapsed = lease.hasLapsed();
    for (Unit unit : dispatcher.running()) {
      if (lapsed) {
        unit.attempts.forEach(a -> a.end(Attempt.Over.LOST, now));
      } else {
        endOverdue(unit, now);
      }
      interruptIfAllOver(unit);
      abandonIfStuck(unit, now);
    }
    return Duration.ofNanos(TICK);
  }

  private static void endOverdue(Unit unit, long now) {
    long longest = unit.attempts.stream()
        .mapToLong(a -> a.timeout.plus(a.type.overtime()).toNanos())
        .max()
        .orElse(0);
    boolean overdue =
        unit.attempts.stream().anyMatch(a -> a.isHandling() && now - a.startedAt() >= longest);
    if (overdue) {
      unit.attempts.stream()
          .filter(a -> a.over() == null)
          .forEach(a -> a.end(Attempt.Over.TIMED_OUT, now));
    }
  }

  /** A batch goes on while one of its jobs is wanted; when none is, its handler is told. */
  private static void interruptIfAllOver(Unit unit) {
    List<Attempt> handling = handling(unit);
    if (handling.stream().allMatch(a -> a.over() != null)) {
      handling.stream().limit(1).forEach(Attempt::interruptOnce);
    }
  }

  private static List<Attempt> handling(Unit unit) {
    return unit.attempts.stream().filter(Attempt::isHandling).toList();
  }

  private void abandonIfStuck(Unit unit, long now) {
    List<Attempt> handling = handling(unit);
    boolean stuck = !handling.isEmpty()
        && handling.stream().allMatch(a -> a.over() != null && now - a.overAt() >= GRACE);
    if (!stuck || !unit.abandon()) {
      return;
    }
    meter.stuck(1);
    for (Attempt attempt : handling) {
      LOG.warn(
          "the handler of {} ignores its interruption on job {}:\n{}",
          attempt.type.name(),
          attempt.ref().job(),
          Arrays.stream(attempt.stack()).map(Object::toString).collect(Collectors.joining("\n")));
      events.job(Event.Kind.STUCK, attempt, "ignores its interruption");
    }
    // Ending an attempt may have to wait for the store, which this clock must never do.
    Thread.ofVirtual().name("sluice-stuck").start(() -> handling.forEach(runner::interrupted));
    dispatcher.ended(unit);
  }
}
