package io.sluice.testkit;

import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.Graph;
import io.sluice.Result;
import io.sluice.store.ClaimRef;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The links of a flaky store. */
record FlakyLinks(Links links, Faults faults) implements Links {
  @Override
  public BatchStarted start(NewBatch batch, List<NewJob> jobs) {
    return faults.pass("start", () -> links.start(batch, jobs));
  }

  @Override
  public List<Enqueued> add(UUID batch, @Nullable ClaimRef by, List<NewJob> jobs) {
    return faults.pass("add", () -> links.add(batch, by, jobs));
  }

  @Override
  public boolean close(UUID batch) {
    return faults.pass("close", () -> links.close(batch));
  }

  @Override
  public void closeAll(UUID batch) {
    faults.pass("closeAll", () -> {
      links.closeAll(batch);
      return true;
    });
  }

  @Override
  public Optional<BatchRecord> find(UUID batch) {
    return faults.pass("find", () -> links.find(batch));
  }

  @Override
  public List<BatchRecord> list(String tenant, @Nullable UUID before, int limit) {
    return faults.pass("list", () -> links.list(tenant, before, limit));
  }

  @Override
  public List<UUID> unfinished(UUID batch, int max) {
    return faults.pass("unfinished", () -> links.unfinished(batch, max));
  }

  @Override
  public List<Result> predecessors(UUID job) {
    return faults.pass("predecessors", () -> links.predecessors(job));
  }

  @Override
  public List<Result> results(UUID job, long maxBytes) {
    return faults.pass("results", () -> links.results(job, maxBytes));
  }

  @Override
  public Optional<Graph> graph(UUID job, int max) {
    return faults.pass("graph", () -> links.graph(job, max));
  }

  @Override
  public List<UUID> successors(UUID job, int max) {
    return faults.pass("successors", () -> links.successors(job, max));
  }

  @Override
  public Optional<UUID> needing(UUID id) {
    return faults.pass("needing", () -> links.needing(id));
  }

  @Override
  public boolean release(UUID job) {
    return faults.pass("release", () -> links.release(job));
  }

  @Override
  public List<UUID> revive(UUID job) {
    return faults.pass("revive", () -> links.revive(job));
  }

  @Override
  public boolean wake(int max) {
    return faults.pass("wake", () -> links.wake(max));
  }

  @Override
  public int settle(int max) {
    return faults.pass("settle", () -> links.settle(max));
  }
}
