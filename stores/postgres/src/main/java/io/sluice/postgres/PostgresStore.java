package io.sluice.postgres;

import io.sluice.CancelResult;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.WaitingJobs;
import io.sluice.store.Breakers;
import io.sluice.store.CancelledJob;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.Count;
import io.sluice.store.Finish;
import io.sluice.store.HeldJob;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Limits;
import io.sluice.store.Links;
import io.sluice.store.Look;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.store.Queues;
import io.sluice.store.ReasonCount;
import io.sluice.store.Standing;
import io.sluice.store.TransactionalStore;
import io.sluice.store.Wakeups;
import io.sluice.store.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in PostgreSQL 14 or newer. The state of a job is the table its row is in; the body is written
 * once. Retention drops whole days. This class only puts the parts together: each does one thing.
 */
public final class PostgresStore implements TransactionalStore {
  private final Connections connections;
  private final Database database;
  /** For writes that many callers share. */
  private final Database shared;

  private final Database looks;
  private final Shelves shelves;
  private final Purger purger;
  private final Inserter inserter;
  private final GroupCommit groupCommit;
  private final LowWater lowWater = new LowWater();
  private final FullLooks fullLooks = new FullLooks(System::nanoTime);
  private final Heads heads;
  private final Claimer claimer;
  private final Finisher finisher;
  private final OwnLeases leases;
  private final Notes notes;
  private final Interventions interventions;
  private final Promoter promoter;
  private final Reader reader;
  private final StoreFigures figures;
  /** Those that the engine asks for, of all tenants. */
  private final StoreFigures ownFigures;

  private final Standings standings;
  private final PostgresQueues queues;
  private final PostgresLimits limits;
  private final PostgresBreakers breakers;
  private final PostgresLinks links;
  private final PostgresWorkers workers;
  private final Notifier notifier;
  private final Signals signals;
  private final Announcer announcer;
  private final ListenLoop listenLoop;
  private final boolean listens;
  private final boolean notifyInTransaction;
  private boolean opened;
  private final AtomicBoolean closed = new AtomicBoolean();

  PostgresStore(PostgresStoreBuilder settings) {
    Sql sql = new Sql(settings.schema);
    connections = settings.lent == null ? new Connections(settings) : settings.lent;
    Guard guard = connections.workGuard();
    database = new Database(connections.work(), sql, settings.clock, guard);
    shared = new Database(connections.shared(), sql, settings.clock, connections.sharedGuard());
    Database beats = new Database(connections.beats(), sql, settings.clock, guard);
    looks = new Database(connections.looks(), sql, settings.clock, connections.looksGuard());
    Database reads =
        new Database(connections.reads(), sql, settings.clock, connections.looksGuard());
    Catalog catalog = new Catalog(database, shared);
    shelves = new Shelves(looks, settings.daysAhead);
    Database pages = new Database(
        connections.looks(), sql, settings.clock, Guard.byIndex(settings.statementTimeout));
    inserter = new Inserter(database, shared, catalog);
    heads = new Heads(database, catalog, lowWater, fullLooks, this::hearOfWork);
    finisher = new Finisher(database, lowWater);
    Taker taker = new Taker(database, lowWater, fullLooks);
    claimer = new Claimer(new LimitedClaim.Parts(database, catalog, taker, finisher, new Costs()));
    leases = new OwnLeases(database, catalog);
    notes = new Notes(database);
    interventions = new Interventions(database);
    promoter = new Promoter(database);
    reader = new Reader(reads, Searches.of(settings));
    figures = new StoreFigures(reads);
    ownFigures = new StoreFigures(looks);
    standings = new Standings(reads);
    notifier = new Notifier(looks, Long.toHexString(RandomGenerator.getDefault().nextLong()));
    signals = new Signals(notifier, catalog);
    announcer = new Announcer(shared, lowWater, signals);
    groupCommit = new GroupCommit(inserter, settings.statementTimeout, announcer::inserted);
    listenLoop = new ListenLoop(looks, connections, signals, notifier);
    Rulings rulings = new Rulings(looks, catalog, () -> signals.tell(Signals.QUEUES));
    purger = new Purger(pages, looks, shelves, rulings, settings.fewStragglers);
    queues = new PostgresQueues(looks, catalog, rulings);
    limits = new PostgresLimits(looks, catalog, queues, rulings);
    breakers = new PostgresBreakers(looks, () -> signals.tell(Signals.BREAKERS));
    links = new PostgresLinks(database, shared, looks, inserter, announcer);
    workers = new PostgresWorkers(database, beats, catalog);
    listens = !settings.pooled;
    notifyInTransaction = settings.notifyInTransaction;
  }

  /** A store with every default, in the database at this JDBC URL. */
  public static PostgresStore connect(String jdbcUrl) {
    return builder().url(jdbcUrl).build();
  }

  public static PostgresStoreBuilder builder() {
    return new PostgresStoreBuilder();
  }

  /** How the connections of this store are used; nothing where the caller lends them. */
  public List<PoolUse> pools() {
    return connections.pools();
  }

  @Override
  public synchronized void open() {
    if (opened) {
      return;
    }
    connections.check();
    new Migrator(looks).run();
    shelves.makeFirst(Shelves.dayOf(now()));
    groupCommit.start();
    notifier.start();
    if (listens) {
      listenLoop.start();
    }
    opened = true;
  }

  @Override
  public Instant now() {
    return Times.now(looks);
  }

  @Override
  public List<Enqueued> insert(List<NewJob> jobs) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    if (jobs.size() == 1 && jobs.getFirst().spec().ties().equals(Ties.NONE)) {
      return List.of(groupCommit.insert(jobs.getFirst()).get());
    }
    Inserter.Inserted inserted = confirmed(() -> inserter.all(jobs));
    announcer.inserted(inserted);
    return inserted.answers().stream().map(Answer::get).toList();
  }

  @Override
  public List<Enqueued> insert(Connection connection, List<NewJob> jobs) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    return confirmed(() -> {
      requireTransaction(connection);
      Inserter.Inserted inserted = inserter.within(connection, jobs);
      if (notifyInTransaction) {
        notifier.sendWithin(
            connection,
            Announcer.lanes(inserted.answers()),
            Announcer.payloads(inserted.answers()));
      }
      return inserted.answers().stream().map(Answer::get).toList();
    });
  }

  @Override
  public LaneView look(Look look) {
    return heads.look(look);
  }

  @Override
  public List<LaneHead> heads(String tenant, String queue) {
    return heads.ofQueue(tenant, queue);
  }

  @Override
  public Claimed claim(Claim claim) {
    return claimer.claim(claim);
  }

  @Override
  public boolean started(ClaimRef ref, boolean alone) {
    return notes.started(ref, alone);
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    if (finishes.isEmpty()) {
      return Set.of();
    }
    return finish(database, finishes);
  }

  @Override
  public Set<ClaimRef> tryFinish(List<Finish> finishes) {
    return finishes.isEmpty() ? Set.of() : finish(shared, finishes);
  }

  private Set<ClaimRef> finish(Database by, List<Finish> finishes) {
    Finisher.Effect effect = Finisher.isSingle(finishes)
        ? by.run(connection -> finisher.finish(connection, finishes))
        : by.transact(connection -> finisher.finish(connection, finishes));
    tellIf(effect.ready() || effect.freed(), Signals.WORK);
    tellIf(effect.later(), Signals.LATER);
    announcer.woken(effect.woken());
    return effect.refs();
  }

  @Override
  public boolean finish(Connection connection, Finish finish) {
    return confirmed(() -> {
      requireTransaction(connection);
      Isolation.require(connection);
      Finisher.Effect effect = finisher.finish(connection, List.of(finish));
      effect.woken().ready().forEach(lowWater::cameIn);
      if (notifyInTransaction) {
        notifier.sendWithin(
            connection, Set.of(), Announcer.payloads(effect.woken(), effect.freed()));
      }
      return !effect.refs().isEmpty();
    });
  }

  @Override
  public boolean progress(ClaimRef ref, int percent, String message) {
    return notes.progress(ref, percent, message);
  }

  @Override
  public boolean log(ClaimRef ref, List<String> lines) {
    return notes.log(ref, lines);
  }

  @Override
  public Optional<Instant> extend(ClaimRef ref, Duration lease) {
    return leases.extend(ref, lease);
  }

  @Override
  public Optional<HeldJob> held(ClaimRef ref) {
    return leases.held(ref);
  }

  @Override
  public CancelResult cancel(UUID job, String reason, Duration keepFor) {
    Interventions.Single single = interventions.cancel(job, reason, keepFor);
    tell(single.cancelled());
    return single.result();
  }

  @Override
  public List<CancelledJob> cancelAll(List<UUID> jobs, String reason) {
    Interventions.Cancelled cancelled = interventions.cancel(jobs, reason, null);
    tell(cancelled);
    return cancelled.jobs();
  }

  private void tell(Interventions.Cancelled cancelled) {
    cancelled.ran().forEach(signals::cancelled);
    tellIf(cancelled.freed(), Signals.WORK);
    announcer.woken(cancelled.woken());
  }

  @Override
  public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    Interventions.Ended cancelled = interventions.cancelWaiting(which, reason, keepFor, max);
    // One that waited for its next attempt may have held up those that run in order after it.
    tellIf(!cancelled.jobs().isEmpty(), Signals.WORK);
    announcer.woken(cancelled.woken());
    return cancelled.jobs();
  }

  @Override
  public List<UUID> replayAll(List<UUID> jobs) {
    List<UUID> replayed = interventions.replay(jobs);
    replayed.forEach(lowWater::cameIn);
    tellIf(!replayed.isEmpty(), Signals.WORK);
    return replayed;
  }

  @Override
  public boolean hurry(UUID job) {
    boolean hurried = interventions.hurry(job);
    lowWater.cameIn(job);
    tellIf(hurried, Signals.WORK);
    return hurried;
  }

  @Override
  public List<UUID> deleteAll(List<UUID> jobs) {
    return interventions.delete(jobs);
  }

  @Override
  public Promotion promote(int max) {
    Promoter.Promoted promoted = promoter.promote(max);
    if (promoted.promotion().moved() > 0) {
      fullLooks.want();
      signals.ready(promoted.lanes());
      signals.tell(Signals.WORK);
    }
    return promoted.promotion();
  }

  @Override
  public List<UUID> expire(int max) {
    Interventions.Ended expired = interventions.expire(max);
    tellIf(!expired.jobs().isEmpty(), Signals.WORK);
    announcer.woken(expired.woken());
    return expired.jobs();
  }

  @Override
  public long purge() {
    return purger.purge(Shelves.dayOf(now()));
  }

  @Override
  public Optional<JobRecord> find(UUID job, Detail detail) {
    return reader.find(job, detail);
  }

  @Override
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    return reader.page(filter, cursor, size);
  }

  @Override
  public List<LogLine> logs(UUID job) {
    return notes.logs(job);
  }

  @Override
  public List<Count> counts(@Nullable String tenant) {
    return figures(tenant).counts(tenant);
  }

  @Override
  public List<Count> unfinished(@Nullable String tenant) {
    return figures(tenant).unfinished(tenant);
  }

  @Override
  public Optional<Instant> oldestReady(@Nullable String tenant) {
    return figures(tenant).oldestReady(tenant);
  }

  private StoreFigures figures(@Nullable String tenant) {
    return tenant == null ? ownFigures : figures;
  }

  @Override
  public long deadLetters(long most) {
    return ownFigures.deadLetters(most);
  }

  @Override
  public List<ReasonCount> deadReasons(JobFilter filter) {
    return reader.deadReasons(filter);
  }

  @Override
  public Standing standing(UUID job, int most) {
    return standings.of(job, most);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public Queues queues() {
    return queues;
  }

  @Override
  public Breakers breakers() {
    return breakers;
  }

  @Override
  public Links links() {
    return links;
  }

  @Override
  public Workers workers() {
    return workers;
  }

  @Override
  public Wakeups wakeups() {
    return signals;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      groupCommit.close();
      notifier.close();
      listenLoop.close();
      heads.close();
      connections.close();
    }
  }

  /** Wakes this process alone, for what only this process had overlooked. */
  private void hearOfWork() {
    signals.hear(Signals.WORK);
  }

  private void tellIf(boolean happened, String payload) {
    if (happened) {
      signals.tell(payload);
    }
  }

  private static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "the connection must be in a transaction: switch auto-commit off");
    }
  }

  private interface Writing<T> {
    T run() throws SQLException;
  }

  private static <T> T confirmed(Writing<T> writing) {
    try {
      return writing.run();
    } catch (SQLException e) {
      throw Failures.of(e);
    }
  }
}
