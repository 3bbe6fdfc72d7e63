package io.sluice;

import io.sluice.engine.Engine;
import io.sluice.store.Breakers;
import io.sluice.store.JobStore;
import io.sluice.store.Queues;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job queue in your application. Build it on a store with the handlers you have, start it, enqueue.
 * Any number of them, in any number of processes, may share one store.
 */
public final class Sluice implements AutoCloseable {
  private final Engine engine;
  private final boolean ownsStore;
  private final List<QueueSettings> queues;
  private final Map<Scope, BreakerSettings> breakers;

  Sluice(
      Engine engine,
      boolean ownsStore,
      List<QueueSettings> queues,
      Map<Scope, BreakerSettings> breakers) {
    this.engine = engine;
    this.ownsStore = ownsStore;
    this.queues = List.copyOf(queues);
    this.breakers = Map.copyOf(breakers);
  }

  public static SluiceBuilder builder(JobStore store) {
    return new SluiceBuilder(store);
  }

  /** Starts to work. An instance is started once. */
  public Sluice start() {
    engine.start(queues, breakers);
    return this;
  }

  /**
   * Stops: takes nothing more on, waits at most so long for running handlers, interrupts the rest and
   * gives their jobs back, and lets go of the store.
   */
  public void stop(Duration drain) {
    engine.stop(drain);
    if (ownsStore) {
      engine.store().close();
    }
  }

  /** Stops with the default patience. */
  @Override
  public void close() {
    stop(Defaults.DRAIN);
  }

  public EngineState state() {
    return engine.state();
  }

  /** Takes a job. When this returns the job is kept safe. */
  public Enqueued enqueue(JobRequest job) {
    return engine.enqueue(job);
  }

  /** Takes all of these jobs or none. */
  public List<Enqueued> enqueueAll(List<JobRequest> jobs) {
    return engine.enqueueAll(jobs);
  }

  /** Takes a batch with all its jobs, or nothing. */
  public BatchStarted enqueue(BatchRequest batch) {
    return engine.enqueue(batch, null);
  }

  public Batches batches() {
    return new Batches(this, engine.store().links());
  }

  List<Enqueued> addTo(UUID batch, List<JobRequest> jobs) {
    return engine.addTo(batch, null, jobs);
  }

  long cancelBatch(UUID batch, String reason) {
    return engine.cancelBatch(batch, reason);
  }

  /** The jobs and batches that hang together with a job, before it and after it; empty when it is not known. */
  public Optional<Graph> graph(UUID job) {
    return engine.store().links().graph(job, Defaults.LARGEST_GRAPH);
  }

  /** Refuses what an enqueue would refuse in the job itself, and keeps nothing. */
  public void check(JobRequest job) {
    engine.check(job);
  }

  /** Takes a job as part of your own transaction: it exists once you commit, and only then. */
  public Enqueued enqueue(Connection connection, JobRequest job) {
    return enqueueAll(connection, List.of(job)).getFirst();
  }

  /** Takes jobs as part of your own transaction. */
  public List<Enqueued> enqueueAll(Connection connection, List<JobRequest> jobs) {
    return engine.enqueueAll(connection, jobs);
  }

  /** Ends a job that is not over. A running handler is interrupted and its result refused. */
  public CancelResult cancel(UUID job) {
    return cancel(job, "cancelled on request");
  }

  public CancelResult cancel(UUID job, String reason) {
    return engine.cancel(job, reason);
  }

  /** Cancels a job and all that waits for it, whatever each of them would do when it fails. */
  public CancelResult cancelAll(UUID job, String reason) {
    return engine.cancelAll(job, reason);
  }

  /**
   * Ends all of these jobs that wait, many at a time, and returns how many they were. What runs goes
   * on. Listeners are not told of each.
   */
  public long cancelWaiting(WaitingJobs which, String reason) {
    return engine.cancelWaiting(which, reason);
  }

  public Optional<JobRecord> find(UUID job) {
    return engine.store().find(job);
  }

  /** A job, as much of it as is asked for. */
  public Optional<JobRecord> find(UUID job, Detail detail) {
    return engine.store().find(job, detail);
  }

  /** Why a job does not run now, or what became of it; empty when it is not known. */
  public Optional<Explanation> explain(UUID job) {
    return engine.explain(job);
  }

  /** Whole jobs that fit, newest first, after the cursor of the page before; see {@link PageSize#full}. */
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, int limit) {
    return page(filter, cursor, PageSize.full(limit));
  }

  /**
   * Jobs that fit, newest first, after the cursor of the page before. A page that reaches its size in bytes ends
   * early and has a cursor.
   */
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    if (size.jobs() < 1 || size.jobs() > Defaults.LARGEST_PAGE) {
      throw SluiceException.invalid(
          "limit", "must be 1 to " + Defaults.LARGEST_PAGE + ", was " + size.jobs());
    }
    return engine.store().page(filter, cursor, size);
  }

  /** The lines that a job's handler wrote. */
  public List<LogLine> logs(UUID job) {
    return engine.store().logs(job);
  }

  /**
   * Runs a failed, dead or cancelled job again from its first attempt, under its own id, or one that is
   * held because another failed. One that waits for its next attempt has it now, as the attempt that it is;
   * false for any other.
   */
  public boolean replay(UUID job) {
    return engine.replay(job);
  }

  /** Replays a job and has those wait for it again that were cancelled because of it; false as above. */
  public boolean replayAll(UUID job) {
    return engine.replayAll(job);
  }

  /** The desk for workers in other programs, which pull their jobs. */
  public RemoteWorkers remote() {
    return engine.remote();
  }

  public DeadLetters deadLetters() {
    return new DeadLetters(engine.store());
  }

  public Queues queues() {
    return engine.store().queues();
  }

  /** The breakers on URL groups and job types, shared by every instance on the store. */
  public Breakers breakers() {
    return engine.store().breakers();
  }

  /** Stops the claiming of a queue's jobs, on every instance; what runs goes on. */
  public void pause(String queue) {
    setPaused(queue, true);
  }

  public void resume(String queue) {
    setPaused(queue, false);
  }

  private void setPaused(String queue, boolean paused) {
    if (!queues().pause(Defaults.TENANT, queue, paused)) {
      throw Names.unknownQueue(Defaults.TENANT, queue);
    }
  }

  public Stats stats() {
    return engine.stats(null);
  }

  /** The marks of the levels of queues and tenants that have none of their own. */
  public Marks marks() {
    return engine.marks();
  }

  /**
   * How full every capped queue and tenant is, over all instances, as this one saw it within the last
   * second or so.
   */
  public List<Fullness> fullness() {
    return engine.fullness();
  }

  public Health health() {
    return engine.health();
  }

  /** Tells the listener what happens in this instance from now on. */
  public void listen(EventListener listener) {
    engine.listen(listener);
  }
}
