package io.sluice.engine;

import io.sluice.Background;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.BreakerSettings;
import io.sluice.CancelResult;
import io.sluice.EngineState;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.EventListener;
import io.sluice.Explanation;
import io.sluice.Fullness;
import io.sluice.Health;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Marks;
import io.sluice.Names;
import io.sluice.QueueFull;
import io.sluice.QueueSettings;
import io.sluice.RemoteWorkers;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.Stats;
import io.sluice.Uuid7;
import io.sluice.WaitingJobs;
import io.sluice.store.ClaimRef;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.TransactionalStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One engine on one store: what users call, in front of the machinery that does the work. */
public final class Engine {
  private static final int CANCEL_BATCH = 5_000;

  private final JobStore store;
  private final Map<String, JobType<?>> types;
  private final Events events;
  private final Intake intake;
  private final Machinery machinery;
  private final Inquiry inquiry;
  private final AtomicReference<EngineState> state = new AtomicReference<>(EngineState.STOPPED);
  private volatile boolean used;

  public Engine(
      JobStore store,
      EngineSettings settings,
      List<JobType<?>> types,
      Tools tools,
      Background background) {
    this.store = store;
    types.forEach(JobType::work);
    this.inquiry = new Inquiry(store, types, settings.lanes().held(), background);
    this.types = settings.works()
        ? types.stream().collect(Collectors.toUnmodifiableMap(JobType::name, t -> t))
        : Map.of();
    this.events = new Events(tools.clock());
    this.intake = new Intake(tools.codec(), Uuid7.seeded(tools.clock(), tools.random()));
    this.machinery = new Machinery(store, settings, this.types, tools, events);
  }

  /** Opens the store, makes these queues and breakers or changes them to this, and begins to work. */
  public synchronized void start(List<QueueSettings> queues, Map<Scope, BreakerSettings> breakers) {
    if (used) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "the engine was started before; build another one");
    }
    store.open();
    queues.forEach(store.queues()::save);
    breakers.forEach(store.breakers()::save);
    machinery.start();
    used = true;
    state.set(EngineState.RUNNING);
  }

  /** Drains for at most so long, gives back what is left, and returns when all of it is written. */
  public synchronized void stop(Duration drain) {
    if (state.compareAndSet(EngineState.RUNNING, EngineState.SHUTTING_DOWN)) {
      machinery.stop(drain);
      state.set(EngineState.STOPPED);
    }
  }

  public EngineState state() {
    return state.get();
  }

  public void listen(EventListener listener) {
    events.add(listener);
  }

  public Enqueued enqueue(JobRequest request) {
    return enqueueAll(List.of(request)).getFirst();
  }

  public List<Enqueued> enqueueAll(List<JobRequest> requests) {
    List<NewJob> jobs = taken(requests);
    List<Enqueued> answers = jobs.isEmpty() ? List.of() : admitted(() -> store.insert(jobs));
    for (int i = 0; i < answers.size(); i++) {
      if (!answers.get(i).duplicate()) {
        events.job(Event.Kind.ENQUEUED, answers.get(i).id(), jobs.get(i).lane(), 0, false, null);
      }
    }
    return answers;
  }

  /** Takes a batch, by itself or from a running job of its parent. */
  public BatchStarted enqueue(BatchRequest request, @Nullable ClaimRef by) {
    throw new UnsupportedOperationException("not built yet");
  }

  public List<Enqueued> addTo(UUID batch, @Nullable ClaimRef by, List<JobRequest> requests) {
    throw new UnsupportedOperationException("not built yet");
  }

  public long cancelBatch(UUID batch, String reason) {
    throw new UnsupportedOperationException("not built yet");
  }

  public CancelResult cancelAll(UUID job, String reason) {
    throw new UnsupportedOperationException("not built yet");
  }

  public boolean replay(UUID job) {
    return store.replay(job);
  }

  public boolean replayAll(UUID job) {
    throw new UnsupportedOperationException("not built yet");
  }

  public void check(JobRequest request) {
    intake.take(request);
  }

  public List<Enqueued> enqueueAll(Connection connection, List<JobRequest> requests) {
    if (!(store instanceof TransactionalStore transactional)) {
      throw new SluiceException(
          ErrorCode.UNSUPPORTED, "this store cannot enqueue in a transaction of yours");
    }
    List<NewJob> jobs = taken(requests);
    return jobs.isEmpty() ? List.of() : admitted(() -> transactional.insert(connection, jobs));
  }

  /** Tells those for whom there is no room when to come back. */
  private <T> T admitted(Supplier<T> insert) {
    try {
      return insert.get();
    } catch (QueueFull e) {
      throw e.withRetryAfter(machinery.pressure().untilRoom(e.overflow()));
    }
  }

  private List<NewJob> taken(List<JobRequest> requests) {
    requireRunning();
    requests.stream()
        .filter(JobRequest::isHandlerRequired)
        .map(JobRequest::lane)
        .distinct()
        .forEach(this::requireHandler);
    return intake.takeAll(requests);
  }

  private void requireRunning() {
    if (state.get() != EngineState.RUNNING) {
      throw new SluiceException(
          ErrorCode.SHUTDOWN_IN_PROGRESS,
          used
              ? "the engine is stopping or has stopped"
              : "the engine is not started: call start() first");
    }
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

  public RemoteWorkers remote() {
    return machinery.remote();
  }

  public CancelResult cancel(UUID id, String reason) {
    Optional<JobRecord> job = store.find(id);
    if (job.isEmpty()) {
      return CancelResult.NOT_FOUND;
    }
    Duration keep = machinery.queueOf(job.get().lane()).retention().of(JobState.CANCELLED);
    CancelResult result = store.cancel(id, Judge.text(reason), keep);
    if (result == CancelResult.CANCELLED) {
      machinery.cancelled(id);
      events.job(Event.Kind.CANCELLED, id, job.get().lane(), job.get().attempt(), false, reason);
    }
    return result;
  }

  /** Cancels what waits, a batch at a time, and returns how many jobs that were. */
  public long cancelWaiting(WaitingJobs which, String reason) {
    String queue = which.queue();
    if (queue != null) {
      return cancelInQueue(which, queue, reason);
    }
    // Each queue keeps its finished jobs for a time of its own.
    return store.queues().list().stream()
        .filter(q -> q.tenant().equals(which.tenant()))
        .mapToLong(q -> cancelInQueue(which, q.name(), reason))
        .sum();
  }

  private long cancelInQueue(WaitingJobs which, String queue, String reason) {
    Duration keep = store
        .queues()
        .find(which.tenant(), queue)
        .orElseThrow(() -> Names.unknownQueue(which.tenant(), queue))
        .settings()
        .retention()
        .of(JobState.CANCELLED);
    long cancelled = 0;
    int batch;
    do {
      batch = store
          .cancelWaiting(which.inQueue(queue), Judge.text(reason), keep, CANCEL_BATCH)
          .size();
      cancelled += batch;
    } while (batch == CANCEL_BATCH);
    return cancelled;
  }

  public Optional<Explanation> explain(UUID job) {
    return inquiry.about(job);
  }

  public Stats stats(@Nullable String tenant) {
    return machinery.watch().stats(tenant);
  }

  public Marks marks() {
    return machinery.pressure().marks();
  }

  public List<Fullness> fullness() {
    return machinery.pressure().fullness();
  }

  public Health health() {
    return machinery.watch().health();
  }

  public JobStore store() {
    return store;
  }
}
