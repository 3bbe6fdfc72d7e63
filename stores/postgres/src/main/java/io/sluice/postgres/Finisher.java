package io.sluice.postgres;

import io.sluice.Defaults;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.Documents;
import io.sluice.store.Finish;
import io.sluice.store.Verdict;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends claims. Each statement begins by deleting the claim rows that match, in the order of the ids, and works only
 * on what it deleted. A call that ends some jobs and returns others is two statements: two such calls about the same
 * claims, of a late worker and of its rescuer, may wait for each other in a circle, and the loser is repeated.
 */
final class Finisher {
  /** What took effect, what became of it, whether a limited queue may run more, and what went on then. */
  record Effect(Set<ClaimRef> refs, boolean ready, boolean later, boolean freed, Woken woken) {}

  /** What is noted of an effect while the statements run. */
  private static final class Noted {
    private final Set<ClaimRef> refs = new HashSet<>();
    private boolean ready;
    private boolean later;
    private boolean freed;
    private Woken woken = Woken.NOTHING;

    void note(ResultSet row) throws SQLException {
      refs.add(Taken.ref(row));
      freed |= row.getBoolean("freed");
    }

    /** Notes the one row of a statement that ends jobs; it names those that it ended if those are not all. */
    void noteEnds(ResultSet row, List<Ended> given) throws SQLException {
      Array ids = row.getArray("ids");
      if (ids == null) {
        given.forEach(ended -> refs.add(ended.ref()));
      } else {
        noteOnly((UUID[]) ids.getArray(), (Integer[]) row.getArray("turns").getArray(), (Long[])
            row.getArray("workers").getArray());
      }
      freed |= row.getBoolean("freed");
      woken = Woken.read(row);
    }

    private void noteOnly(UUID[] ids, Integer[] turns, Long[] workers) {
      for (int i = 0; i < ids.length; i++) {
        refs.add(new ClaimRef(ids[i], turns[i], workers[i]));
      }
    }

    Effect effect() {
      return new Effect(refs, ready, later, freed, woken);
    }
  }

  private record Ended(ClaimRef ref, Verdict.End verdict, boolean onlyUnstarted) {}

  private record Returned(ClaimRef ref, Verdict.Again verdict, boolean onlyUnstarted) {}

  private final Database database;
  private final LowWater lowWater;

  Finisher(Database database, LowWater lowWater) {
    this.database = database;
    this.lowWater = lowWater;
  }

  /** Ends claims on a connection. */
  Effect finish(Connection connection, List<Finish> finishes) throws SQLException {
    List<Ended> ends = new ArrayList<>();
    List<Returned> agains = new ArrayList<>();
    for (Finish finish : inOrder(finishes)) {
      switch (finish.verdict()) {
        case Verdict.End end -> ends.add(new Ended(finish.ref(), end, finish.onlyUnstarted()));
        case Verdict.Again again ->
          agains.add(new Returned(finish.ref(), again, finish.onlyUnstarted()));
      }
    }
    Noted noted = new Noted();
    if (!ends.isEmpty() && ends.stream().allMatch(ended -> isLike(ends.getFirst(), ended))) {
      complete(connection, ends, noted);
    } else if (!ends.isEmpty()) {
      end(connection, ends, noted);
    }
    if (!agains.isEmpty()) {
      again(connection, agains, noted);
    }
    trim(connection, finishes);
    return noted.effect();
  }

  /** True when one statement does it, so that no transaction need be opened. */
  static boolean isSingle(List<Finish> finishes) {
    boolean ends = finishes.stream().anyMatch(finish -> finish.verdict() instanceof Verdict.End);
    boolean agains =
        finishes.stream().anyMatch(finish -> finish.verdict() instanceof Verdict.Again);
    return !(ends && agains) && manyErrors(finishes).isEmpty();
  }

  private static List<Finish> inOrder(List<Finish> finishes) {
    Map<ClaimRef, Finish> firsts = new LinkedHashMap<>();
    finishes.forEach(finish -> firsts.putIfAbsent(finish.ref(), finish));
    List<Finish> sorted = new ArrayList<>(firsts.values());
    sorted.sort(Comparator.comparing((Finish finish) -> finish.ref().job()));
    return sorted;
  }

  /** True when a job is done and leaves nothing to keep, by the worker and for as long as the first of its batch. */
  private static boolean isLike(Ended first, Ended ended) {
    Verdict.End verdict = ended.verdict();
    return verdict.state() == JobState.COMPLETED
        && verdict.result() == null
        && verdict.reason() == null
        && verdict.error() == null
        && verdict.keepFor().equals(first.verdict().keepFor())
        && !ended.onlyUnstarted()
        && ended.ref().worker() == first.ref().worker();
  }

  private void complete(Connection connection, List<Ended> ends, Noted noted) throws SQLException {
    try (Call call = database.call(connection, "complete")) {
      call.set("ids", ends.stream().map(e -> e.ref().job()).toList())
          .column("turns", "int4", ends, e -> e.ref().turn(), Integer[]::new)
          .set("worker", ends.getFirst().ref().worker())
          .set("keep", Times.micros(ends.getFirst().verdict().keepFor()))
          .set("given", ends.size())
          .each(row -> noted.noteEnds(row, ends));
    }
  }

  private void end(Connection connection, List<Ended> ends, Noted noted) throws SQLException {
    try (Call call = database.call(connection, "end")) {
      call.set("ids", ends.stream().map(e -> e.ref().job()).toList())
          .column("turns", "int4", ends, e -> e.ref().turn(), Integer[]::new)
          .column("workers", "int8", ends, e -> e.ref().worker(), Long[]::new)
          .column("states", "int2", ends, e -> States.code(e.verdict().state()), Short[]::new)
          .column("results", "text", ends, e -> e.verdict().result(), String[]::new)
          .column("reasons", "text", ends, e -> e.verdict().reason(), String[]::new)
          .column("errors", "text", ends, e -> json(e.verdict().error()), String[]::new)
          .column("keeps", "int8", ends, e -> Times.micros(e.verdict().keepFor()), Long[]::new)
          .set("unstarted", unstarted(ends, Ended::onlyUnstarted, Ended::ref))
          .set("given", ends.size())
          .each(row -> noted.noteEnds(row, ends));
    }
  }

  private void again(Connection connection, List<Returned> agains, Noted noted)
      throws SQLException {
    try (Call call = database.call(connection, "again")) {
      call.set("ids", agains.stream().map(a -> a.ref().job()).toList())
          .column("turns", "int4", agains, a -> a.ref().turn(), Integer[]::new)
          .column("workers", "int8", agains, a -> a.ref().worker(), Long[]::new)
          .column("kinds", "int2", agains, Finisher::kind, Short[]::new)
          .column("delays", "int8", agains, a -> Times.delay(a.verdict().when()), Long[]::new)
          .column(
              "ats",
              "timestamptz",
              agains,
              a -> Times.at(a.verdict().when()),
              OffsetDateTime[]::new)
          .column("spent", "bool", agains, a -> a.verdict().spent(), Boolean[]::new)
          .column(
              "strikes", "int2", agains, a -> (short) a.verdict().strikes().alone(), Short[]::new)
          .column(
              "suspects",
              "int2",
              agains,
              a -> (short) a.verdict().strikes().inCompany(),
              Short[]::new)
          .column("errors", "text", agains, a -> json(a.verdict().error()), String[]::new)
          .set("unstarted", unstarted(agains, Returned::onlyUnstarted, Returned::ref))
          .each(row -> {
            noted.note(row);
            if (row.getBoolean("late")) {
              noted.later = true;
            } else {
              noted.ready = true;
              lowWater.cameIn(row.getObject("id", UUID.class));
            }
          });
    }
  }

  private static <T> List<UUID> unstarted(
      List<T> given, Predicate<T> onlyUnstarted, Function<T, ClaimRef> ref) {
    return given.stream().filter(onlyUnstarted).map(one -> ref.apply(one).job()).toList();
  }

  /** A job put back as PENDING with a moment to come waits as one that was planned. */
  private static short kind(Returned returned) {
    JobState state = returned.verdict().state();
    return States.code(state == JobState.PENDING ? JobState.SCHEDULED : state);
  }

  private void trim(Connection connection, List<Finish> finishes) throws SQLException {
    List<UUID> many = manyErrors(finishes);
    if (many.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "trim-errors")) {
      call.set("ids", many).set("keep", Defaults.MAX_ERRORS).update();
    }
  }

  private static List<UUID> manyErrors(List<Finish> finishes) {
    return finishes.stream()
        .filter(f -> f.verdict().error() != null && f.ref().turn() > Defaults.MAX_ERRORS)
        .map(f -> f.ref().job())
        .toList();
  }

  private static @Nullable String json(@Nullable JobError error) {
    return error == null ? null : Documents.of(error);
  }
}
