package io.sluice.engine;

import io.sluice.JobRecord;
import io.sluice.Lane;
import io.sluice.Predecessor;
import io.sluice.store.JobStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Jobs that are to end together, each after all that wait for it, and batches that are among them. */
record Cascade(List<Item> jobs, List<UUID> batches) {
  /** What it takes to end a job: without its payload, of which many together would be too much. */
  record Item(UUID id, Lane lane, int attempt, List<UUID> after) {
    static Item of(JobRecord job) {
      List<UUID> after = job.spec().ties().after().stream().map(Predecessor::id).toList();
      return new Item(job.id(), job.lane(), job.attempt(), after);
    }
  }

  static Cascade of(JobStore store, List<UUID> ids) {
    Map<UUID, Item> jobs = new LinkedHashMap<>();
    List<UUID> batches = new ArrayList<>();
    for (UUID id : ids) {
      store.find(id).ifPresentOrElse(job -> jobs.put(id, Item.of(job)), () -> batches.add(id));
    }
    batches.removeIf(id -> store.links().find(id).isEmpty());
    return new Cascade(lastFirst(jobs), batches);
  }

  /** The jobs in an order in which each comes after those among them that wait for it. */
  static List<Item> lastFirst(Map<UUID, Item> jobs) {
    Map<UUID, Integer> waiting = new HashMap<>();
    for (Item job : jobs.values()) {
      job.after().forEach(id -> waiting.merge(id, 1, Integer::sum));
    }
    Deque<Item> free = new ArrayDeque<>();
    jobs.values().stream().filter(job -> !waiting.containsKey(job.id())).forEach(free::add);
    List<Item> order = new ArrayList<>(jobs.size());
    for (Item job = free.poll(); job != null; job = free.poll()) {
      order.add(job);
      for (UUID id : job.after()) {
        Item before = jobs.get(id);
        if (waiting.merge(id, -1, Integer::sum) == 0 && before != null) {
          free.add(before);
        }
      }
    }
    return order;
  }
}
