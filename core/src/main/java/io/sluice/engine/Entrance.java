package io.sluice.engine;

import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.QueueFull;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.TransactionalStore;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where jobs and batches come in: checked and encoded, taken by the store, told to those who listen. */
final class Entrance {
  private final JobStore store;
  private final Map<String, JobType<?>> types;
  private final Intake intake;
  private final Events events;
  private final Pressure pressure;

  Entrance(
      JobStore store,
      Map<String, JobType<?>> types,
      Intake intake,
      Events events,
      Pressure pressure) {
    this.store = store;
    this.types = types;
    this.intake = intake;
    this.events = events;
    this.pressure = pressure;
  }

  void check(JobRequest request) {
    intake.take(request);
  }

  List<Enqueued> take(List<JobRequest> requests) {
    List<NewJob> jobs = taken(requests);
    return jobs.isEmpty() ? List.of() : told(admitted(() -> store.insert(jobs)), jobs);
  }

  /** Takes jobs as part of a transaction, of which nobody is told because it may still be undone. */
  List<Enqueued> take(Connection connection, List<JobRequest> requests) {
    if (!(store instanceof TransactionalStore transactional)) {
      throw new SluiceException(
          ErrorCode.UNSUPPORTED, "this store cannot enqueue in a transaction of yours");
    }
    List<NewJob> jobs = taken(requests);
    return jobs.isEmpty() ? List.of() : admitted(() -> transactional.insert(connection, jobs));
  }

  private List<NewJob> taken(List<JobRequest> requests) {
    requireHandlers(requests.stream());
    return intake.takeAll(requests);
  }

  /** Takes a batch that comes from outside. */
  BatchStarted start(BatchRequest request, @Nullable ClaimRef by) {
    return start(request, new Plan.Home(request.parent().orElse(null), by));
  }

  /** Takes a batch that a running job starts inside its own. */
  BatchStarted startWithin(Membership of, BatchRequest request) {
    UUID batch = of.batch();
    if (request.parent().filter(parent -> !parent.equals(batch)).isPresent()) {
      throw SluiceException.invalid(
          "parent", "must be " + batch + ", the batch of the job that starts it, or be left out");
    }
    of.check(request.tenant());
    return start(request, new Plan.Home(batch, of.by()));
  }

  private BatchStarted start(BatchRequest request, Plan.Home home) {
    requireHandlers(Stream.concat(
        request.steps().stream().map(step -> step.job()), request.callback().stream()));
    Plan plan = Plan.of(request, home, intake);
    BatchStarted started = admitted(() -> store.links().start(plan.batch(), plan.jobs()));
    if (started.duplicate()) {
      return new BatchStarted(started.id(), true, started.callback(), again(started.id(), plan));
    }
    told(started.jobs(), plan.jobs());
    NewJob callback = plan.batch().callback();
    if (callback != null) {
      events.job(Event.Kind.ENQUEUED, callback.id(), callback.lane(), 0, false, null);
    }
    return started;
  }

  /** The jobs of a batch that was there before, if they are those of the plan and all still there. */
  private List<Enqueued> again(UUID batch, Plan plan) {
    List<NewJob> jobs = plan.jobs();
    JobFilter members = JobFilter.all().inTenant(plan.batch().tenant()).inBatch(batch);
    Page<JobRecord> found = store.page(
        members, null, new PageSize(Math.max(1, jobs.size()), Long.MAX_VALUE, Detail.STATE));
    List<JobRecord> before = found.items().reversed();
    boolean same = found.nextCursor() == null
        && before.stream()
            .map(JobRecord::lane)
            .toList()
            .equals(jobs.stream().map(NewJob::lane).toList());
    return same
        ? before.stream().map(job -> new Enqueued(job.id(), job.state(), true)).toList()
        : List.of();
  }

  /** Adds jobs to a batch, from outside or by a running job of it. */
  List<Enqueued> addTo(UUID batch, @Nullable ClaimRef by, List<JobRequest> requests) {
    return requests.isEmpty()
        ? List.of()
        : addTo(batch, by, requests.getFirst().lane().tenant(), requests);
  }

  /** Adds jobs to the batch of a running job. */
  List<Enqueued> addWithin(Membership of, List<JobRequest> requests) {
    return requests.isEmpty() ? List.of() : addTo(of.batch(), of.by(), of.tenant(), requests);
  }

  private List<Enqueued> addTo(
      UUID batch, @Nullable ClaimRef by, String tenant, List<JobRequest> requests) {
    requireHandlers(requests.stream());
    List<NewJob> jobs = Plan.joining(batch, tenant, requests, intake);
    return told(admitted(() -> store.links().add(batch, by, jobs)), jobs);
  }

  private List<Enqueued> told(List<Enqueued> answers, List<NewJob> jobs) {
    for (int i = 0; i < answers.size(); i++) {
      if (!answers.get(i).duplicate()) {
        events.job(Event.Kind.ENQUEUED, answers.get(i).id(), jobs.get(i).lane(), 0, false, null);
      }
    }
    return answers;
  }

  /** Tells those for whom there is no room when to come back. */
  private <T> T admitted(Supplier<T> insert) {
    try {
      return insert.get();
    } catch (QueueFull e) {
      throw e.withRetryAfter(pressure.untilRoom(e.overflow()));
    }
  }

  private void requireHandlers(Stream<JobRequest> requests) {
    requests
        .filter(JobRequest::isHandlerRequired)
        .map(JobRequest::lane)
        .distinct()
        .forEach(this::requireHandler);
  }

  private void requireHandler(Lane lane) {
    boolean handled = types.containsKey(lane.type())
        || store.workers().live().stream()
            .anyMatch(w -> w.spec().handles(lane.tenant(), lane.queue(), lane.type()));
    if (!handled) {
      throw new SluiceException(
          ErrorCode.HANDLER_NOT_FOUND, "no live worker handles jobs of type " + lane.type());
    }
  }
}
