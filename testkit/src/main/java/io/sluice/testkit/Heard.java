package io.sluice.testkit;

import io.sluice.Event;
import io.sluice.EventListener;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A listener that keeps what it hears. */
public final class Heard implements EventListener {
  private final List<Event> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(Event event) {
    events.add(event);
  }

  public List<Event> all() {
    return List.copyOf(events);
  }

  /** What was heard of one job, in order. */
  public List<Event.Kind> of(UUID job) {
    return ofJobs().filter(e -> e.job().equals(job)).map(Event.OfJob::kind).toList();
  }

  public List<Event.OfJob> details(UUID job, Event.Kind kind) {
    return ofJobs().filter(e -> e.job().equals(job) && e.kind() == kind).toList();
  }

  public long count(Event.Kind kind) {
    return ofJobs().filter(e -> e.kind() == kind).count();
  }

  /** Waits until the kind was heard of the job. */
  public void await(UUID job, Event.Kind kind) {
    Eventually.await(kind + " of " + job, () -> of(job).contains(kind));
  }

  private Stream<Event.OfJob> ofJobs() {
    return events.stream().filter(Event.OfJob.class::isInstance).map(Event.OfJob.class::cast);
  }
}
