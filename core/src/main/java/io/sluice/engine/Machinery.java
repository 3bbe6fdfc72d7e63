package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.JobStore;
import io.sluice.store.Wakeups;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a running engine, put together, started in order and stopped in the opposite one. */
final class Machinery implements Wakeups.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Machinery.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration LEVELS = Duration.ofSeconds(1);
  private static final Duration DEAD_LETTERS = Duration.ofSeconds(30);

  private final JobStore store;
  private final Tools tools;
  private final Events events;
  private final boolean works;
  private final Duration longestPause;
  private final Attempts attempts = new Attempts();
  private final Circuits circuits;
  private final Dispatcher dispatcher;
  private final Runner runner;
  private final QueueCache queues;
  private final Heartbeats heartbeats;
  private final Watch watch;
  private final Pressure pressure;
  private final Entrance entrance;
  private final Meter meter;
  private final Board board;
  private final RemoteDesk remote;

  private final LaneBook lanes;
  private final ClaimLoop claims;
  private final Loop claiming;
  private final Loop starting;
  private final Loop straying;
  private final Loop promoting;
  private final Loop queueLoop;
  private final Loop breaking;
  private final Loop finishing;
  private final Loop rewriting;
  private final Loop telling;
  /** Kept going to the very end of a stop: what still runs needs its lease and its clock. */
  private final List<Loop> keepers = new ArrayList<>();

  private final List<Loop> duties = new ArrayList<>();
  private Wakeups.@Nullable Subscription subscription;

  Machinery(
      JobStore store,
      EngineSettings settings,
      Map<String, JobType<?>> types,
      Tools tools,
      Events events,
      Intake intake) {
    this.store = store;
    this.tools = tools;
    this.events = events;
    this.works = !types.isEmpty();
    this.longestPause = settings.lease().dividedBy(3);
    this.meter = new Meter(tools.nanoTime());
    Lease lease = new Lease(settings.lease(), tools.nanoTime());
    pressure = new Pressure(store, events, settings.health().marks(), tools.nanoTime());
    entrance = new Entrance(store, types, intake, events, pressure);
    queues = new QueueCache(store.queues(), settings.poll(), this::work);
    circuits = new Circuits(
        store.breakers(),
        tools,
        events,
        settings.poll(),
        new Circuits.Around(this::inHand, this::circuitsCall, this::circuitsChanged));
    Outcomes outcomes = new Outcomes(events, meter, circuits);
    OutcomeWriter.Parts writing = new OutcomeWriter.Parts(store, attempts, lease, outcomes);
    StuckOutcomes stuck = new StuckOutcomes(writing, tools.nanoTime(), this::outcomeStuck);
    Finisher finisher = new Finisher(writing, stuck::add);
    board = new Board(store, settings.lanes().held(), tools.nanoTime());
    remote = new RemoteDesk(
        store, tools, queues, outcomes, new RemoteDesk.Doors(board, settings.poll(), entrance));
    Notes notes = new Notes(store, attempts);
    runner = new Runner(
        store,
        tools,
        queues,
        new Runner.Book(lease, attempts, new Solitude(store), finisher, notes, events),
        circuits,
        entrance);
    dispatcher = new Dispatcher(
        settings.slots(),
        tools.nanoTime(),
        this::run,
        new Waiting(lane -> queues.of(lane).weight()),
        this::room,
        this::deferred);
    heartbeats = new Heartbeats(
        store.workers(),
        workerSpec(settings, types),
        settings.lease(),
        lease,
        attempts,
        tools.nanoTime());
    watch = new Watch(store, meter, dispatcher, events, settings.health(), stuck::count);
    Gate gate = new Gate(types, settings, queues, dispatcher, circuits);
    lanes = gate.book();
    Strays strays = new Strays(store, lease, attempts, settings.lease().dividedBy(3));
    claims = new ClaimLoop(
        new ClaimLoop.Parts(store, lease, gate, dispatcher, runner, attempts, strays),
        settings,
        types,
        queues,
        tools);
    Timekeeper timekeeper = new Timekeeper(tools, lease, dispatcher, runner, events, meter);

    claiming = loop("claim", claims::runOnce);
    starting = loop("start", this::startDue);
    straying = loop("strays", strays::look);
    promoting = loop("promote", new Promoter(store, settings.poll(), this::work)::runOnce);
    queueLoop = loop("queues", queues::runOnce);
    breaking = loop("breakers", circuits::runOnce);
    finishing = loop("finish", finisher::runOnce);
    rewriting = loop("finish-stuck", stuck::runOnce);
    telling = loop("events", events::runOnce);
    keepers.add(loop("heartbeat", heartbeats::runOnce));
    keepers.add(loop("timekeeper", timekeeper::runOnce));
    keepers.add(loop("notes", notes::runOnce));
    duties.add(queueLoop);
    duties.add(breaking);
    duties.add(loop("levels", () -> pressure.look(LEVELS)));
    if (settings.tends()) {
      addDuties(settings, new Reaper(store, settings.poll(), events));
    }
  }

  private void addDuties(EngineSettings settings, Reaper reaper) {
    // Seen a sixth after its end at the latest, a lost lease leaves time for all that follows.
    Duration sixth = settings.lease().dividedBy(6);
    duties.add(promoting);
    Rescuer rescuer = new Rescuer(store, queues, sixth, events);
    duties.add(loop("rescue", rescuer::runOnce));
    duties.add(loop("lapse", () -> rescuer.runLapsed(settings.poll())));
    duties.add(loop("expire", reaper::expire));
    duties.add(loop("purge", reaper::purge));
    duties.add(loop("settle", reaper::settle));
    duties.add(loop("wake", reaper::wake));
    duties.add(loop("dead-letters", () -> watch.watchDeadLetters(DEAD_LETTERS)));
    duties.add(loop("stats", () -> watch.logStats(Defaults.STATS_LOG)));
  }

  private static WorkerSpec workerSpec(EngineSettings settings, Map<String, JobType<?>> types) {
    Set<String> fragile = types.values().stream()
        .filter(t -> !t.isIdempotent())
        .map(JobType::name)
        .collect(Collectors.toSet());
    return new WorkerSpec(settings.name(), settings.slots(), types.keySet(), fragile);
  }

  private Loop loop(String name, Loop.Duty duty) {
    return new Loop(name, duty, longestPause, tools.random());
  }

  private void run(Unit unit) {
    try {
      unit.attempts.forEach(this::admit);
      runner.run(unit);
    } finally {
      if (!unit.end()) {
        meter.stuck(-1);
      }
      dispatcher.ended(unit);
    }
  }

  /** Lets a job begin, or gives it back where a breaker opened after its claim. */
  private void admit(Attempt attempt) {
    circuits
        .admit(attempt.lane())
        .ifPresentOrElse(attempt::admitted, () -> runner.giveBack(attempt));
  }

  private int inHand(Predicate<Lane> which) {
    return dispatcher.inHand(which);
  }

  /** How much longer the receiver of a lane is left alone here, if it asked for that. */
  Optional<Duration> leftAlone(Lane lane) {
    return circuits.leftAlone(lane);
  }

  private void outcomeStuck() {
    rewriting.wake();
  }

  private void circuitsCall() {
    breaking.wake();
  }

  private void circuitsChanged() {
    dispatcher
        .takeWaiting(unit -> circuits.isShut(unit.first().lane()))
        .forEach(unit -> unit.attempts.forEach(runner::giveBack));
    work();
  }

  void start() {
    queues.runOnce();
    circuits.look();
    if (works) {
      heartbeats.signOn();
    }
    telling.start();
    finishing.start();
    rewriting.start();
    if (works) {
      keepers.forEach(Loop::start);
      claiming.start();
      starting.start();
      straying.start();
    }
    duties.forEach(Loop::start);
    subscription = store.wakeups().listen(this);
    board.open();
  }

  void stop(Duration drain) {
    board.close();
    if (subscription != null) {
      subscription.close();
    }
    claiming.stop(PATIENCE);
    starting.stop(PATIENCE);
    straying.stop(PATIENCE);
    dispatcher.close().forEach(u -> u.attempts.forEach(runner::giveBack));
    boolean interrupted = drain(drain);
    boolean written = isIn(attempts::awaitEmpty, PATIENCE);
    if (!written) {
      LOG.warn(
          "{} outcomes were not written; the jobs will be rescued",
          attempts.refs().size());
    }
    duties.forEach(Loop::halt);
    duties.forEach(d -> d.stop(PATIENCE));
    finishing.stop(written ? Duration.ZERO : PATIENCE);
    rewriting.stop(written ? Duration.ZERO : PATIENCE);
    keepers.forEach(Loop::halt);
    keepers.forEach(k -> k.stop(PATIENCE));
    signOff();
    isIn(events::flush, PATIENCE);
    telling.stop(Duration.ZERO);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the handlers, then interrupts them; true when the caller would not wait. */
  private boolean drain(Duration drain) {
    int running = dispatcher.runningNow();
    if (running > 0) {
      String most = drain.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
      LOG.info(
          "waiting for {} running {}, at most {}", running, running == 1 ? "job" : "jobs", most);
    }
    boolean idle = isIn(dispatcher::awaitIdle, drain);
    boolean interrupted = Thread.interrupted();
    if (!idle) {
      List<Unit> late = dispatcher.running();
      LOG.warn("{} handlers did not end within {} and are interrupted", late.size(), drain);
      long now = tools.nanoTime().getAsLong();
      late.forEach(u -> u.attempts.forEach(a -> a.end(Attempt.Over.SHUTDOWN, now)));
      isIn(dispatcher::awaitIdle, GRACE);
      dispatcher.running().forEach(u -> u.attempts.forEach(runner::interrupted));
    }
    return interrupted || Thread.interrupted();
  }

  /** Something that comes true, waited for. */
  private interface Wait {
    boolean in(long nanos) throws InterruptedException;
  }

  /** Waits; an interrupt ends the waiting, stays to be seen and means false. */
  private static boolean isIn(Wait wait, Duration time) {
    try {
      Duration longest = Duration.ofNanos(Long.MAX_VALUE);
      return wait.in((time.compareTo(longest) < 0 ? time : longest).toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void signOff() {
    try {
      heartbeats.signOff();
    } catch (SluiceException e) {
      LOG.warn("the worker could not sign off: {}", e.getMessage());
    }
  }

  Watch watch() {
    return watch;
  }

  Pressure pressure() {
    return pressure;
  }

  Entrance entrance() {
    return entrance;
  }

  QueueSettings queueOf(Lane lane) {
    return queues.of(lane);
  }

  RemoteDesk remote() {
    return remote;
  }

  private Duration startDue() {
    return Duration.ofNanos(Math.clamp(dispatcher.startDue(), 0, IDLE.toNanos()));
  }

  private void deferred() {
    starting.wake();
  }

  private void room() {
    claiming.wake();
  }

  @Override
  public void work() {
    claims.tell();
    claiming.wake();
    board.tell();
  }

  @Override
  public boolean wantsLanes() {
    return lanes.wantsArrivals();
  }

  @Override
  public void ready(Map<Integer, Lane> filled) {
    lanes.arrived(filled);
  }

  @Override
  public void later() {
    promoting.wake();
  }

  @Override
  public void cancelled(UUID job) {
    long now = tools.nanoTime().getAsLong();
    attempts.find(job).ifPresent(a -> a.end(Attempt.Over.CANCELLED, now));
  }

  @Override
  public void breakers() {
    breaking.wake();
  }

  @Override
  public void queues() {
    queueLoop.wake();
    claiming.wake();
    board.tell();
  }
}
