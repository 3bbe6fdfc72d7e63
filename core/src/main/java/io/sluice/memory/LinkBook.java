package io.sluice.memory;

import io.sluice.Predecessor;
import io.sluice.Uuid7;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The batches, and who waits for whom. */
final class LinkBook {
  /** What the idempotency key of a batch is unique in. */
  private record BatchKey(String tenant, String key) {}

  private final TreeMap<UUID, BatchEntry> batches = new TreeMap<>(Uuid7.ORDER);
  private final Map<BatchKey, BatchEntry> keys = new HashMap<>();
  /** The ties of those that wait, by the one they wait for and by themselves. */
  private final Map<UUID, Map<UUID, Tie>> behind = new HashMap<>();

  // ---- ties

  /** Ties a job to those that it names. */
  void bind(JobEntry job) {
    List<Tie> ties = new ArrayList<>(job.spec.ties().after().size());
    for (Predecessor one : job.spec.ties().after()) {
      Tie tie = new Tie(one.id(), job, one.name());
      ties.add(tie);
      behind.computeIfAbsent(one.id(), id -> new LinkedHashMap<>()).put(job.id, tie);
    }
    job.ties = ties;
  }

  /** Those that wait or waited for this one. */
  Collection<Tie> behind(UUID id) {
    Map<UUID, Tie> ties = behind.get(id);
    return ties == null ? List.of() : ties.values();
  }

  void forget(JobEntry job) {
    for (Tie tie : job.ties) {
      behind.computeIfPresent(tie.from, (id, ties) -> {
        ties.remove(job.id);
        return ties.isEmpty() ? null : ties;
      });
    }
  }

  // ---- batches

  void add(BatchEntry batch) {
    batches.put(batch.facts.id(), batch);
    BatchKey key = keyOf(batch.facts.tenant(), batch.facts.key());
    if (key != null) {
      keys.put(key, batch);
    }
  }

  @Nullable
  BatchEntry batch(@Nullable UUID id) {
    return id == null ? null : batches.get(id);
  }

  /** The batch, unless its time of keeping is over. */
  @Nullable
  BatchEntry find(UUID id, Instant now) {
    BatchEntry batch = batches.get(id);
    return batch == null || batch.isPast(now) ? null : batch;
  }

  @Nullable
  BatchEntry owner(String tenant, @Nullable String key, Instant now) {
    BatchKey wanted = keyOf(tenant, key);
    BatchEntry batch = wanted == null ? null : keys.get(wanted);
    return batch == null || batch.isPast(now) ? null : batch;
  }

  private static @Nullable BatchKey keyOf(String tenant, @Nullable String key) {
    return key == null ? null : new BatchKey(tenant, key);
  }

  /** Every batch, newest first; those before the given one only, if there is one. */
  Collection<BatchEntry> newestFirst(@Nullable UUID before) {
    NavigableMap<UUID, BatchEntry> older =
        before == null ? batches : batches.headMap(before, false);
    return older.descendingMap().values();
  }

  Collection<BatchEntry> all() {
    return batches.values();
  }

  /** Drops batches whose time of keeping is over. */
  void purge(Instant now) {
    batches.values().removeIf(batch -> {
      boolean past = batch.isPast(now);
      BatchKey key = past ? keyOf(batch.facts.tenant(), batch.facts.key()) : null;
      if (key != null) {
        keys.remove(key, batch);
      }
      return past;
    });
  }
}
