package io.sluice.postgres;

import io.sluice.SluiceException;
import io.sluice.store.LockTimeout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends batches whose members are all over, each in a transaction of its own: those that were asked about by
 * whoever ended members, and now and then all others, for those who died before they could ask.
 */
final class Settler {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

  private record Unended(UUID batch, boolean over) {}

  private record Ended(boolean yes, Woken woken) {}

  /** On connections that wait for locks only briefly: the thread that asks also writes the outcomes of other jobs. */
  private final Database database;

  private final Consumer<Woken> told;
  /** Where the next look at all begins: one after the other, when they are more than one look takes. */
  private final AtomicReference<UUID> next = new AtomicReference<>(LowWater.START);

  Settler(Database database, Consumer<Woken> told) {
    this.database = database;
    this.told = told;
  }

  /**
   * Ends those of these batches that are over, and then those they are in. What the members' end brought is
   * written by now, so that a failure here is no failure of that: the next look ends the batch.
   */
  void ask(Collection<UUID> batches) {
    try {
      end(batches.size() > 1 ? over(batches) : batches);
    } catch (SluiceException e) {
      LOG.info("Batches {} are looked at again later: {}", batches, e.getMessage());
    }
  }

  /** Ends batches that nobody has ended, looking at no more than so many, and returns how many that were. */
  int settle(int max) {
    UUID from = next.get();
    List<Unended> seen = look(from, max);
    next.compareAndSet(from, seen.size() < max ? LowWater.START : seen.getLast().batch());
    return end(seen.stream().filter(Unended::over).map(Unended::batch).toList());
  }

  private List<Unended> look(UUID after, int max) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "unended-batches")) {
        return call.set("after", after)
            .set("max", max)
            .list(row -> new Unended(row.getObject("id", UUID.class), row.getBoolean("over")));
      }
    });
  }

  /** Those that are over: members of very many batches may have ended together, and few be the last of theirs. */
  private List<UUID> over(Collection<UUID> batches) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "batches-over")) {
        return call.set("ids", List.copyOf(batches)).list(row -> row.getObject("id", UUID.class));
      }
    });
  }

  private int end(Collection<UUID> batches) {
    int ended = 0;
    Deque<UUID> open = new ArrayDeque<>(batches);
    while (!open.isEmpty()) {
      Ended one = endUnlessHeld(open.remove());
      if (one.yes()) {
        ended++;
        told.accept(one.woken());
        open.addAll(one.woken().asked());
      }
    }
    return ended;
  }

  /** One that somebody's transaction holds is ended by a later look, and holds up no other. */
  private Ended endUnlessHeld(UUID batch) {
    try {
      return end(batch);
    } catch (LockTimeout e) {
      LOG.debug("Batch {} is held", batch, e);
      return new Ended(false, Woken.NOTHING);
    }
  }

  private Ended end(UUID batch) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "end-batch")) {
        return call.set("id", batch)
            .one(row -> row.getBoolean("ended")
                ? new Ended(true, Woken.read(row))
                : new Ended(false, Woken.NOTHING));
      }
    });
  }
}
