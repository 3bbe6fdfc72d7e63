package io.sluice.server.secret;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Database;
import io.sluice.server.access.Caller;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.secret.Instances.Instance;
import io.sluice.server.secret.RotationTable.Cursor;
import io.sluice.server.secret.RotationTable.Phase;
import io.sluice.server.secret.RotationTable.State;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The change of the master key while everything goes on. The new key is put in force; every tenant's
 * data keys get a new one among them and are wrapped under it; once all servers seal with the new data
 * keys, every sealed value is sealed anew, in small steps. Each step is written down, so that any
 * server goes on where a killed one stopped; each write is conditional, so that it does no harm when
 * two servers do the same.
 */
public final class Rotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rotation.class);
  private static final int KEYS_AT_ONCE = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration LOOK = Duration.ofMillis(200);

  /** Who this server is among those on its database. */
  public record Self(UUID id, String name, String version) {}

  /** Random numbers fit for a key, and what measures time. */
  public record Tools(RandomGenerator random, LongSupplier nanoTime) {}

  private final Database database;
  private final Vault vault;
  private final List<SealedRows> places;
  private final AuditLog audit;
  private final Tools tools;
  private final Instances instances;
  private final RotationTable table;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile int sealing;

  public Rotation(
      Database database,
      Vault vault,
      List<SealedRows> places,
      AuditLog audit,
      Self self,
      Tools tools) {
    this.database = database;
    this.vault = vault;
    this.places = List.copyOf(places);
    this.audit = audit;
    this.tools = tools;
    this.instances = new Instances(database, self.id, self.name, self.version);
    this.table = new RotationTable(database, self.id);
  }

  /** Makes this server known to the others; fails when it lacks the master key in force. */
  public void start() {
    sealing = table.read().renewed();
    instances.join(vault.masters().reload().ids(), sealing);
    vault.keys().requireMasters();
  }

  State state() {
    return table.read();
  }

  List<Instance> servers() {
    return instances.live();
  }

  MasterKeys masters() {
    return vault.masters();
  }

  /** Begins a change, or lets one go on that has begun. Throws CONFLICT, with what to do first. */
  void begin(Caller caller) {
    State state = table.read();
    if (state.phase() != Phase.DONE) {
      return;
    }
    KeyFile file = vault.masters().file();
    String target = file == null ? given(state) : made(state, file);
    instances.beat(vault.masters().ids(), sealing);
    awaitAllKnow(target, file == null ? Duration.ZERO : PATIENCE);
    database.transact(connection -> {
      // Nobody joins while the row is held: whoever comes later sees the new key and must have it.
      if (table.holdIdle(connection)) {
        requireAllKnow(target, instances.live(connection));
        table.change(connection, target, caller);
        audit.write(
            connection,
            audit.entry(
                caller, caller.tenant(), "master-key.rotate", target, "from " + state.current()));
      }
      return true;
    });
  }

  private String given(State state) {
    String first = vault.masters().first();
    if (first.equals(state.current())) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "the servers are given the master key by a setting, and its first key, " + first
              + ", is in force already: give every server master-key: NEW,OLD (NEW from 'openssl rand"
              + " -base64 32'), then call this again");
    }
    return first;
  }

  private String made(State state, KeyFile file) {
    file.begin(state.current(), MasterKey.generate(tools.random));
    return vault.masters().reload().id();
  }

  private void awaitAllKnow(String target, Duration patience) {
    long end = tools.nanoTime.getAsLong() + patience.toNanos();
    while (!lacking(target, instances.live()).isEmpty() && tools.nanoTime.getAsLong() < end) {
      pause();
    }
    requireAllKnow(target, instances.live());
  }

  private void pause() {
    try {
      if (stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "this server is stopping");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "this server is stopping", e);
    }
  }

  private static List<Instance> lacking(String target, List<Instance> live) {
    return live.stream().filter(server -> !server.keys().contains(target)).toList();
  }

  private static void requireAllKnow(String target, List<Instance> live) {
    List<Instance> lacking = lacking(target, live);
    if (!lacking.isEmpty()) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "these servers do not have the new master key " + target + ": "
              + lacking.stream().map(Instance::name).collect(Collectors.joining(", "))
              + ". Nothing was changed. Start them again with both keys (master-key: NEW,OLD, or a data"
              + " folder that all share), or stop them, then call this again");
    }
  }

  /** Tells the others that this server lives, and learns from the table what they did. Every second. */
  public void beat() {
    MasterKeys masters = vault.masters();
    masters.reload();
    State state = table.read();
    if (!masters.ids().contains(state.current())) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "the master key was changed to " + state.current() + " while this server was away, and it"
              + " does not have that key: start it again with it");
    }
    if (state.renewed() != sealing) {
      vault.keys().forget();
      sealing = state.renewed();
    }
    KeyFile file = masters.file();
    boolean over = state.phase() == Phase.DONE && state.keys().left() == 0;
    if (file != null && over && masters.ids().stream().anyMatch(state.previous()::contains)) {
      file.end(state.previous());
      masters.reload();
      LOG.info("The master key is {} alone now", masters);
    }
    instances.beat(masters.ids(), sealing);
  }

  /** Goes on with a change, if there is one and no other server is at it. Every second. */
  public void work() {
    if (!table.take()) {
      return;
    }
    State state = table.read();
    if (state.phase() == Phase.KEYS) {
      renewKeys();
    } else if (state.phase() == Phase.VALUES && allSealWith(state.renewed())) {
      resealValues(state);
    }
  }

  private void renewKeys() {
    while (vault.keys().renew(KEYS_AT_ONCE) > 0) {
      if (isStopped() || !table.take()) {
        return;
      }
    }
    table.keysAreRenewed(rows());
  }

  private boolean allSealWith(int generation) {
    return instances.live().stream().allMatch(server -> server.sealing() >= generation);
  }

  private long rows() {
    return places.stream().mapToLong(SealedRows::count).sum();
  }

  private void resealValues(State state) {
    Cursor cursor = state.progress().cursor();
    while (cursor.place() < places.size()) {
      SealedRows.Batch batch = places.get(cursor.place()).reseal(cursor.after());
      cursor = batch.last() == null
          ? new Cursor(cursor.place() + 1, null)
          : new Cursor(cursor.place(), batch.last());
      if (!table.note(batch, cursor) || isStopped()) {
        return;
      }
    }
    finishPass();
  }

  /**
   * Until a look through everything finds nothing to do: a request may have sealed with the old data key
   * just before, and a job may have moved from one day's table behind us to another.
   */
  private void finishPass() {
    State state = table.read();
    if (state.keys().left() > 0) {
      vault.keys().renew(KEYS_AT_ONCE);
      table.passAgain(rows());
    } else if (state.progress().changedInPass()) {
      table.passAgain(rows());
    } else {
      end(state);
    }
  }

  private void end(State state) {
    boolean ended = database.transact(connection -> {
      boolean ours = table.end(connection);
      Caller caller = state.progress().caller();
      if (ours && caller != null) {
        String details = state.keys().total() + " data keys, " + state.values().resealed()
            + " values, " + state.values().unreadable() + " unreadable";
        audit.write(
            connection,
            audit.entry(caller, caller.tenant(), "master-key.rotated", state.current(), details));
      }
      return ours;
    });
    if (ended) {
      LOG.info(
          "The master key {} is in force: {} values were sealed anew, {} do not open",
          state.current(),
          state.values().resealed(),
          state.values().unreadable());
      beat();
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Lets the next step be the last one. */
  public void stop() {
    stopped.countDown();
  }

  /** Says that this server is no more, so that nobody waits for it. */
  @Override
  public void close() {
    stop();
    try {
      instances.leave();
    } catch (SluiceException e) {
      LOG.warn("the others could not be told that this server ends: {}", e.getMessage());
    }
  }
}
