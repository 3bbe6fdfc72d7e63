package io.sluice.postgres;

import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.Graph;
import io.sluice.Result;
import io.sluice.store.ClaimRef;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Batches, and jobs that wait for others. */
final class PostgresLinks implements Links {
  private record Started(BatchStarted answer, Inserter.@Nullable Inserted inserted) {}

  private final Database database;
  private final Database shared;
  private final Inserter inserter;
  private final BatchRows rows;
  private final GraphReader graphs;
  private final Announcer announcer;
  private final Settler settler;

  PostgresLinks(
      Database database, Database shared, Database looks, Inserter inserter, Announcer announcer) {
    this.database = database;
    this.shared = shared;
    this.inserter = inserter;
    this.rows = new BatchRows(database);
    this.graphs = new GraphReader(looks);
    this.announcer = announcer;
    this.settler = announcer.settler();
  }

  @Override
  public BatchStarted start(NewBatch batch, List<NewJob> jobs) {
    List<NewJob> all = new ArrayList<>(jobs);
    NewJob callback = batch.callback();
    if (callback != null) {
      all.add(callback);
    }
    Started started = confirmed(() -> inserter.together(all, (connection, rest) -> {
      Optional<BatchStarted> known = rows.make(connection, batch);
      if (known.isPresent()) {
        // What was counted in a batch that this one would have been in is not to be.
        connection.rollback();
        return new Started(known.get(), null);
      }
      Inserter.Inserted inserted = rest.write();
      return new Started(answer(batch, jobs.size(), inserted), inserted);
    }));
    Inserter.Inserted inserted = started.inserted();
    if (inserted != null) {
      announcer.inserted(inserted);
      if (jobs.isEmpty() && !batch.open()) {
        settler.ask(Set.of(batch.id()));
      }
    }
    return started.answer();
  }

  private static BatchStarted answer(NewBatch batch, int jobs, Inserter.Inserted inserted) {
    NewJob callback = batch.callback();
    return new BatchStarted(
        batch.id(),
        false,
        callback == null ? null : callback.id(),
        enqueued(inserted.answers().subList(0, jobs)));
  }

  private static List<Enqueued> enqueued(List<Answer> answers) {
    return answers.stream().map(Answer::get).toList();
  }

  @Override
  public List<Enqueued> add(UUID batch, @Nullable ClaimRef by, List<NewJob> jobs) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    String tenant = jobs.getFirst().lane().tenant();
    Inserter.Inserted inserted = confirmed(() -> inserter.together(jobs, (connection, rest) -> {
      rows.hold(connection, batch, tenant, by);
      return rest.write();
    }));
    announcer.inserted(inserted);
    return enqueued(inserted.answers());
  }

  @Override
  public boolean close(UUID batch) {
    boolean closed = rows.close(batch);
    if (closed) {
      settler.ask(Set.of(batch));
    }
    return closed;
  }

  @Override
  public void closeAll(UUID batch) {
    Set<UUID> closed = rows.closeAll(batch);
    if (!closed.isEmpty()) {
      settler.ask(closed);
    }
  }

  @Override
  public Optional<BatchRecord> find(UUID batch) {
    return rows.find(batch);
  }

  @Override
  public List<BatchRecord> list(String tenant, @Nullable UUID before, int limit) {
    return rows.list(tenant, before, limit);
  }

  @Override
  public List<UUID> unfinished(UUID batch, int max) {
    return rows.unfinished(batch, max);
  }

  @Override
  public List<Result> predecessors(UUID job) {
    return graphs.predecessors(job);
  }

  @Override
  public List<Result> results(UUID job, long maxBytes) {
    return graphs.results(job, maxBytes);
  }

  @Override
  public Optional<Graph> graph(UUID job, int max) {
    return graphs.graph(job, max);
  }

  @Override
  public List<UUID> successors(UUID job, int max) {
    return graphs.successors(job, max);
  }

  @Override
  public Optional<UUID> needing(UUID id) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "needing")) {
        return call.set("id", id).list(row -> row.getObject("id", UUID.class)).stream()
            .findFirst();
      }
    });
  }

  @Override
  public boolean release(UUID job) {
    List<Boolean> released = database.run(connection -> {
      try (Call call = database.call(connection, "release")) {
        return call.set("id", job).list(row -> row.getBoolean("late"));
      }
    });
    if (released.isEmpty()) {
      return false;
    }
    boolean late = released.getFirst();
    announcer.woken(new Woken(late ? Set.of() : Set.of(job), Set.of(), late, Set.of()));
    return true;
  }

  @Override
  public List<UUID> revive(UUID job) {
    Revival.Revived revived =
        database.transact(connection -> new Revival(database, connection, job).run());
    announcer.woken(revived.woken());
    return revived.jobs();
  }

  @Override
  public int settle(int max) {
    return settler.settle(max);
  }

  private record Portion(long links, Woken woken) {}

  @Override
  public boolean wake(int max) {
    Portion portion = shared.run(connection -> {
      try (Call call = shared.call(connection, "wake-more")) {
        return call.set("max", max).one(row -> new Portion(row.getLong("links"), Woken.read(row)));
      }
    });
    announcer.woken(portion.woken());
    return portion.links() > 0;
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
