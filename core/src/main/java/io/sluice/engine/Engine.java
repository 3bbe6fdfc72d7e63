package io.sluice.engine;

import io.sluice.Background;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.BreakerSettings;
import io.sluice.CancelResult;
import io.sluice.EngineState;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.EventListener;
import io.sluice.Explanation;
import io.sluice.Fullness;
import io.sluice.Health;
import io.sluice.JobRequest;
import io.sluice.JobType;
import io.sluice.Marks;
import io.sluice.QueueSettings;
import io.sluice.RemoteWorkers;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.Stats;
import io.sluice.Uuid7;
import io.sluice.WaitingJobs;
import io.sluice.store.ClaimRef;
import io.sluice.store.JobStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One engine on one store: what users call, in front of the machinery that does the work. */
public final class Engine {
  private final JobStore store;
  private final Events events;
  private final Machinery machinery;
  private final Canceller canceller;
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
    Map<String, JobType<?>> worked = settings.works()
        ? types.stream().collect(Collectors.toUnmodifiableMap(JobType::name, t -> t))
        : Map.of();
    this.events = new Events(tools.clock());
    Intake intake = new Intake(tools.codec(), Uuid7.seeded(tools.clock(), tools.random()));
    this.machinery = new Machinery(store, settings, worked, tools, events, intake);
    this.inquiry =
        new Inquiry(store, types, settings.lanes().held(), background, machinery::leftAlone);
    this.canceller = new Canceller(store, machinery::queueOf, machinery::cancelled, events);
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
    return entrance().take(requests);
  }

  public List<Enqueued> enqueueAll(Connection connection, List<JobRequest> requests) {
    return entrance().take(connection, requests);
  }

  public void check(JobRequest request) {
    machinery.entrance().check(request);
  }

  /** Takes a batch, by itself or from a running job of its parent. */
  public BatchStarted enqueue(BatchRequest request, @Nullable ClaimRef by) {
    return entrance().start(request, by);
  }

  public List<Enqueued> addTo(UUID batch, @Nullable ClaimRef by, List<JobRequest> requests) {
    return entrance().addTo(batch, by, requests);
  }

  /** The way in, which is open while the engine runs. */
  private Entrance entrance() {
    if (state.get() != EngineState.RUNNING) {
      throw new SluiceException(
          ErrorCode.SHUTDOWN_IN_PROGRESS,
          used
              ? "the engine is stopping or has stopped"
              : "the engine is not started: call start() first");
    }
    return machinery.entrance();
  }

  /**
   * Runs a job again that is over and not completed, lets one run that is held, or lets one that waits for its
   * next attempt have it now.
   */
  public boolean replay(UUID job) {
    return store.replay(job) || released(job);
  }

  private boolean released(UUID job) {
    return store.links().release(job) || store.hurry(job);
  }

  /** As {@link #replay}; what was cancelled because of the job waits for it again. */
  public boolean replayAll(UUID job) {
    return !store.links().revive(job).isEmpty() || released(job);
  }

  public RemoteWorkers remote() {
    return machinery.remote();
  }

  public CancelResult cancel(UUID id, String reason) {
    return canceller.cancel(id, reason);
  }

  public CancelResult cancelAll(UUID job, String reason) {
    return canceller.cancelAll(job, reason);
  }

  public long cancelBatch(UUID batch, String reason) {
    if (store.links().find(batch).isEmpty()) {
      throw new SluiceException(ErrorCode.NOT_FOUND, "there is no batch " + batch);
    }
    return canceller.cancelBatch(batch, reason);
  }

  public long cancelWaiting(WaitingJobs which, String reason) {
    return canceller.cancelWaiting(which, reason);
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
