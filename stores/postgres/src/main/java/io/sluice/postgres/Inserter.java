package io.sluice.postgres;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.SluiceException;
import io.sluice.store.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes new jobs. Keys are settled first, then batches and predecessors are held, then room in capped
 * queues is taken, and everything that is left goes in with one statement, which at the same time checks that
 * no queue was capped or deleted behind this process's back.
 */
final class Inserter {
  private static final int TRIES = 10;
  /** Below this, one statement with arrays is faster than the round trips of COPY. */
  private static final int COPY_FROM = 500;

  private final Database database;
  private final Database shared;
  private final Catalog catalog;
  private final Keys keys;
  private final Bulk bulk;
  private final Binder binder;

  /** An inserter that writes jobs of many callers through the second of these. */
  Inserter(Database database, Database shared, Catalog catalog) {
    this.database = database;
    this.shared = shared;
    this.catalog = catalog;
    this.keys = new Keys(database);
    this.bulk = new Bulk(database);
    this.binder = new Binder(database);
  }

  /** What became of the jobs of a call, and of others because of them. */
  record Inserted(List<Answer> answers, Woken woken) {
    private Inserted(List<Answer> answers) {
      this(answers, Woken.NOTHING);
    }
  }

  /** Writes jobs in a transaction that holds more than them. */
  interface Rest {
    Inserted write() throws SQLException;
  }

  /** What is written together with jobs: before them, or in their stead. */
  interface Together<T> {
    T on(Connection connection, Rest rest) throws SQLException;
  }

  /** Writes all of these jobs or none, and what goes with them, in one transaction. */
  <T> T together(List<NewJob> jobs, Together<T> work) throws SQLException {
    return fresh(
        jobs,
        drafts -> database.attempt(false, connection -> {
          Map<Draft, Answer> known = keys.take(connection, drafts);
          return work.on(connection, () -> allOrNone(settled(connection, drafts, known, true)));
        }));
  }

  /**
   * Writes jobs that stand or fall each for itself, in one transaction. Where one of them may have to wait for
   * somebody else's, it waits this long at most.
   */
  List<Answer> each(List<NewJob> jobs, Duration lockWait) throws SQLException {
    return fresh(
        jobs,
        catalog::homeBriefly,
        TRIES,
        drafts -> isPlain(drafts)
            ? database.attempt(
                !Columns.areLarge(drafts), connection -> plain(connection, drafts, Level.CHECKED))
            : shared
                .attempt(false, connection -> {
                  waitForLocks(connection, lockWait);
                  return settled(connection, drafts, false);
                })
                .answers());
  }

  /** Lets this transaction wait longer for a lock than others on shared connections. */
  private void waitForLocks(Connection connection, Duration lockWait) throws SQLException {
    if (lockWait.compareTo(Connections.LOCK_WAIT) > 0) {
      try (Call call = shared.call(connection, "wait-for-locks")) {
        call.set("millis", (int) lockWait.toMillis()).execute();
      }
    }
  }

  /** The rows that somebody else may hold while a job is written, as far as is known without looking. */
  Set<SharedRow> mayWaitFor(NewJob job) {
    Set<SharedRow> rows = new HashSet<>();
    Lane lane = job.lane();
    String key = job.spec().idempotencyKey();
    if (key != null) {
      rows.add(new SharedRow(lane.tenant(), lane.queue(), key, null));
    }
    if (!catalog.isKnown(lane)) {
      rows.add(new SharedRow(lane.tenant(), lane.queue(), null, lane));
    }
    catalog.known(lane.tenant(), lane.queue()).ifPresent(queue -> {
      if (queue.capped()) {
        rows.add(new SharedRow(lane.tenant(), lane.queue(), null, null));
      }
      if (queue.tenantCapped()) {
        rows.add(new SharedRow(lane.tenant(), null, null, null));
      }
    });
    return rows;
  }

  /** An idempotency key, a lane that is new, or what counts the jobs of a capped queue or tenant. */
  record SharedRow(
      String tenant,
      @Nullable String queue,
      @Nullable String key,
      @Nullable Lane lane) {}

  /** Writes all of these jobs or none, in one transaction. */
  Inserted all(List<NewJob> jobs) throws SQLException {
    return fresh(jobs, drafts -> {
      if (!isPlain(drafts)) {
        return database.attempt(false, connection -> allOrNone(settled(connection, drafts, true)));
      }
      if (drafts.size() < COPY_FROM && !Columns.areLarge(drafts)) {
        return new Inserted(
            database.attempt(true, connection -> plain(connection, drafts, Level.CHECKED)));
      }
      return new Inserted(database.attempt(
          false,
          connection -> Bulk.isPossible(connection)
              ? answers(drafts, bulk.copy(connection, drafts))
              : plain(connection, drafts, Level.CHECKED)));
    });
  }

  /** As {@link #all}, in a transaction that somebody else will end. */
  Inserted within(Connection connection, List<NewJob> jobs) throws SQLException {
    LookUp onIt = lane -> catalog.home(connection, lane);
    // What fails leaves nothing to repeat in: the transaction is aborted.
    return fresh(jobs, onIt, 0, drafts -> {
      if (isPlain(drafts)) {
        return new Inserted(plain(connection, drafts, Level.UNCHECKED));
      }
      Isolation.require(connection);
      return undoable(connection, () -> allOrNone(settled(connection, drafts, true)));
    });
  }

  /**
   * Writes from a savepoint, to which a refusal goes back. So does a write that met an outcome which retention was just
   * moving to another partition: it is repeated and finds the outcome there.
   */
  private static Inserted undoable(Connection connection, Rest write) throws SQLException {
    for (int tries = 1; ; tries++) {
      var start = connection.setSavepoint();
      try {
        Inserted answers = write.write();
        connection.releaseSavepoint(start);
        return answers;
      } catch (StaleQueues | SluiceException e) {
        connection.rollback(start);
        throw e;
      } catch (SQLException e) {
        if (tries == TRIES || !Failures.isSerialization(e)) {
          throw e;
        }
        connection.rollback(start);
      }
    }
  }

  private interface Write<T> {
    T of(List<Draft> drafts) throws SQLException;
  }

  /** Finds out where jobs go. Fails when there is no such queue. */
  interface LookUp {
    Catalog.Home of(Lane lane) throws SQLException;
  }

  /**
   * Looks each queue up once: were it capped between two look-ups, some of its jobs would be counted and others not.
   */
  static List<Draft> drafts(List<NewJob> jobs, LookUp lookUp) throws SQLException {
    List<Draft> drafts = new ArrayList<>(jobs.size());
    Map<Lane, Catalog.Home> homes = new HashMap<>();
    Map<Integer, Catalog.Queue> queues = new HashMap<>();
    for (NewJob job : jobs) {
      Catalog.Home home = homes.get(job.lane());
      if (home == null) {
        Catalog.Home found = lookUp.of(job.lane());
        Catalog.Queue queue = queues.computeIfAbsent(found.queue().id(), id -> found.queue());
        home = new Catalog.Home(queue, found.lane());
        homes.put(job.lane(), home);
      }
      drafts.add(new Draft(job, home.queue(), home.lane()));
    }
    return drafts;
  }

  private <T> T fresh(List<NewJob> jobs, Write<T> write) throws SQLException {
    return fresh(jobs, catalog::home, TRIES, write);
  }

  /** Writes, and again with what is true now when a queue had changed, or so often when it lost a race. */
  private <T> T fresh(List<NewJob> jobs, LookUp lookUp, int races, Write<T> write)
      throws SQLException {
    if (jobs.stream().map(NewJob::id).distinct().count() < jobs.size()) {
      throw SluiceException.invalid("id", "must be another for each job of a call");
    }
    for (int tries = 1; ; tries++) {
      List<Draft> drafts = drafts(jobs, lookUp);
      try {
        return write.of(drafts);
      } catch (StaleQueues e) {
        catalog.forgetQueues();
        catalog.forgetLanes();
        if (tries == TRIES) {
          throw e;
        }
      } catch (SQLException e) {
        if (tries >= races || !Failures.isPassing(e)) {
          throw e;
        }
      }
    }
  }

  private static boolean isPlain(List<Draft> drafts) {
    return drafts.stream()
        .allMatch(draft -> draft.key() == null
            && !isCapped(draft)
            && !draft.isTied()
            && !draft.queue().ordered());
  }

  private static boolean isCapped(Draft draft) {
    return draft.queue().capped() || draft.queue().tenantCapped();
  }

  private static Inserted allOrNone(Inserted inserted) {
    for (Answer answer : inserted.answers()) {
      if (answer instanceof Answer.Refused refused) {
        throw refused.why();
      }
    }
    return inserted;
  }

  /** Whether a transaction is known to be READ COMMITTED; of another one the insert reports its level. */
  private enum Level {
    CHECKED,
    UNCHECKED
  }

  private List<Answer> plain(Connection connection, List<Draft> drafts, Level level)
      throws SQLException {
    return answers(drafts, write(connection, drafts, new Held(Set.of(), Set.of()), level));
  }

  private static List<Answer> answers(List<Draft> drafts, Set<UUID> late) {
    List<Answer> answers = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      answers.add(
          new Answer.Taken(draft.id(), stateOf(draft, late, Woken.NOTHING), false, draft.lane()));
    }
    return answers;
  }

  private static JobState stateOf(Draft draft, Set<UUID> late, Woken woken) {
    if (woken.cancelled().contains(draft.id())) {
      return JobState.CANCELLED;
    }
    return late.contains(draft.id()) && !woken.ready().contains(draft.id())
        ? JobState.SCHEDULED
        : JobState.PENDING;
  }

  /** The queues that were held to their own cap, and to that of their tenant. */
  private record Held(Set<Integer> own, Set<Integer> ofTenants) {
    /** With those of jobs that count without being held to it. */
    Held and(List<Draft> pastCaps) {
      Held both = new Held(new HashSet<>(own), new HashSet<>(ofTenants));
      for (Draft draft : pastCaps) {
        Catalog.Queue queue = draft.queue();
        if (queue.capped()) {
          both.own.add(queue.id());
        }
        if (queue.tenantCapped()) {
          both.ofTenants.add(queue.id());
        }
      }
      return both;
    }
  }

  /**
   * Counts jobs that no cap refuses. They must not lock the counts of room: a transaction that ends a job
   * together with its callback has locked the count of ends by then, and others lock that after the room.
   */
  private void countPastCaps(Connection connection, List<Draft> drafts) throws SQLException {
    Integer[] queues = drafts.stream()
        .filter(Inserter::isCapped)
        .map(draft -> draft.queue().id())
        .toArray(Integer[]::new);
    if (queues.length > 0) {
      try (Call call = database.call(connection, "count-past-caps")) {
        call.set("queues", "int4", queues).update();
      }
    }
  }

  private Inserted settled(Connection connection, List<Draft> drafts, boolean together)
      throws SQLException {
    return settled(connection, drafts, keys.take(connection, drafts), together);
  }

  /**
   * Writes what is new of these, whose keys are taken. Who is in a batch or waits for others comes in a call
   * that stands or falls as a whole, so that room may be refused after those are held.
   */
  private Inserted settled(
      Connection connection, List<Draft> drafts, Map<Draft, Answer> known, boolean together)
      throws SQLException {
    Map<Draft, Answer> answers = new HashMap<>(known);
    List<Draft> open =
        drafts.stream().filter(draft -> !answers.containsKey(draft)).toList();
    binder.count(connection, open);
    Binder.Held before = binder.hold(connection, open);
    List<Draft> capped = open.stream().filter(draft -> !draft.job().pastCaps()).toList();
    List<Draft> pastCaps = open.stream().filter(draft -> draft.job().pastCaps()).toList();
    Room room = Room.hold(database, connection, capped);
    Map<Draft, Answer> full = room.take(capped, together);
    if (!full.isEmpty()) {
      keys.release(connection, List.copyOf(full.keySet()));
      answers.putAll(full);
      open = open.stream().filter(draft -> !full.containsKey(draft)).toList();
    }
    Held held = new Held(room.queues(), room.queuesOfTenants(capped)).and(pastCaps);
    Set<UUID> late = open.isEmpty() ? Set.of() : bound(connection, open, held);
    order(connection, open, late);
    Woken woken = binder.wake(connection, open, before);
    countPastCaps(connection, pastCaps);
    for (Draft draft : open) {
      answers.put(
          draft, new Answer.Taken(draft.id(), stateOf(draft, late, woken), false, draft.lane()));
    }
    return new Inserted(inOrder(drafts, answers, late), woken.andReady(before.ready()));
  }

  /** Writes the jobs with their links, and returns which of them are not ready yet. */
  private Set<UUID> bound(Connection connection, List<Draft> drafts, Held held)
      throws SQLException {
    int links = drafts.stream().mapToInt(draft -> draft.ties().after().size()).sum();
    boolean many = (Math.max(drafts.size(), links) >= COPY_FROM || Columns.areLarge(drafts))
        && drafts.stream().noneMatch(draft -> isCapped(draft) || draft.key() != null);
    if (many && Bulk.isPossible(connection)) {
      return bulk.copy(connection, drafts);
    }
    Set<UUID> late = write(connection, drafts, held, Level.CHECKED);
    binder.link(connection, drafts);
    return late;
  }

  /** Gives the jobs of ordered queues their numbers, once they are written. */
  private void order(Connection connection, List<Draft> drafts, Set<UUID> late)
      throws SQLException {
    List<Draft> ordered =
        drafts.stream().filter(draft -> draft.queue().ordered()).toList();
    if (ordered.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "order-jobs")) {
      call.set("ids", ordered.stream().map(Draft::id).toList())
          .column("queues", "int4", ordered, draft -> draft.queue().id(), Integer[]::new)
          .column("keys", "text", ordered, d -> d.job().lane().limitKey(), String[]::new)
          .column("lanes", "int4", ordered, Draft::lane, Integer[]::new)
          .column("priorities", "int2", ordered, Draft::priority, Short[]::new)
          .set("late", List.copyOf(late))
          .update();
    }
  }

  private static List<Answer> inOrder(
      List<Draft> drafts, Map<Draft, Answer> answers, Set<UUID> late) {
    Map<UUID, Answer> byId = new HashMap<>();
    answers.forEach((draft, answer) -> byId.put(draft.id(), answer));
    List<Answer> inOrder = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      Answer answer = answers.get(draft);
      if (answer instanceof Answer.Taken taken && taken.duplicate()) {
        // Repeats within one call follow the fate of the first.
        answer = followed(taken, byId.get(taken.id()), late);
      }
      if (answer != null) {
        inOrder.add(answer);
      }
    }
    return inOrder;
  }

  private static Answer followed(Answer.Taken taken, @Nullable Answer first, Set<UUID> late) {
    if (first instanceof Answer.Refused) {
      return first;
    }
    return late.contains(taken.id()) ? Answer.Taken.before(taken.id(), JobState.SCHEDULED) : taken;
  }

  /** Writes jobs and returns which of them are not due yet. */
  private Set<UUID> write(Connection connection, List<Draft> drafts, Held held, Level level)
      throws SQLException {
    if (!Columns.areLarge(drafts)) {
      return writeAtOnce(connection, drafts, held, level);
    }
    Set<UUID> late = new HashSet<>();
    for (List<Draft> portion : Columns.portions(drafts)) {
      late.addAll(writeAtOnce(connection, portion, held, level));
    }
    return late;
  }

  private Set<UUID> writeAtOnce(Connection connection, List<Draft> drafts, Held held, Level level)
      throws SQLException {
    boolean due = Columns.areDue(drafts);
    try (Call call = database.call(connection, due ? "insert-due" : "insert")) {
      Columns.set(call, drafts);
      call.set("counted", "int4", held.own().toArray(Integer[]::new))
          .set("held", "int4", held.ofTenants().toArray(Integer[]::new))
          .set("checked", level == Level.CHECKED);
      return call.one(row -> {
        Isolation.require(row.getString("level"));
        if (row.getBoolean("stale")) {
          throw new StaleQueues();
        }
        return due ? Set.of() : Set.of((UUID[]) row.getArray("late").getArray());
      });
    }
  }
}
