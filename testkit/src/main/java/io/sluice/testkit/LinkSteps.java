package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AfterPolicy;
import io.sluice.BatchRecord;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The steps of a walk that are about jobs which wait for others, and about batches. */
record LinkSteps(Bench bench, Model model, List<UUID> jobs) {
  private static final Duration FOREVER = Duration.ofDays(3650);
  private static final List<AfterPolicy> POLICIES = List.of(AfterPolicy.values());

  /** Inserts a job that waits for one or two of those that are there, if there are any. */
  List<NewJob> after(Draft draft, int target, int way) {
    List<UUID> known = predecessors();
    if (known.isEmpty()) {
      return List.of(bench.made(draft));
    }
    UUID first = known.get(target % known.size());
    UUID second = known.get((target + way) % known.size());
    AfterPolicy policy = POLICIES.get(way % POLICIES.size());
    Draft waiting = draft.after(first).policy(policy);
    waiting = second.equals(first) ? waiting : waiting.after(second);
    return List.of(bench.made(way % 5 == 0 ? waiting.in(Duration.ofSeconds(6)) : waiting));
  }

  /** Jobs with a key are left out: how long a needed one keeps its key is not said. */
  private List<UUID> predecessors() {
    Stream<UUID> known = model.newestFirst().stream()
        .filter(job -> job.made.spec().idempotencyKey() == null)
        .map(job -> job.made.id());
    return Stream.concat(known, model.links().batches().keySet().stream()).toList();
  }

  void start(Draft draft, int way) {
    UUID id = bench.id();
    BatchDraft batch = BatchDraft.of(id).keepFor(FOREVER);
    boolean open = way % 2 == 0;
    List<NewJob> made = new ArrayList<>(bench.made(way % 3, draft.batch(id)));
    if (way % 3 == 2) {
      AfterPolicy policy = POLICIES.get(way / 3 % POLICIES.size());
      made.add(bench.made(draft.batch(id).after(made.getFirst().id()).policy(policy)));
    }
    take(
        made,
        () -> bench.links().start((open ? batch.open() : batch).as(), made).jobs(),
        () -> model.links().start(id, open));
  }

  void add(Draft draft, int target) {
    openBatches().skip(target).findFirst().ifPresent(id -> {
      List<NewJob> made = bench.made(1, draft.batch(id));
      take(made, () -> bench.links().add(id, null, made), () -> {});
    });
  }

  private Stream<UUID> openBatches() {
    return model.links().batches().entrySet().stream()
        .filter(batch -> batch.getValue().open)
        .map(Map.Entry::getKey);
  }

  private void take(List<NewJob> made, Supplier<List<Enqueued>> call, Runnable before) {
    Set<ErrorCode> refusals = model.refusals(made);
    if (refusals.isEmpty()) {
      List<Enqueued> answer = call.get();
      before.run();
      assertThat(answer).isEqualTo(model.insert(made));
      made.forEach(job -> jobs.add(job.id()));
    } else {
      SluiceException refused = catchThrowableOfType(SluiceException.class, call::get);
      assertThat(refused).as("refusal of %s", made).isNotNull();
      assertThat(refused.code()).isIn(refusals);
    }
  }

  void close(int target) {
    model.links().batches().keySet().stream()
        .skip(target)
        .findFirst()
        .ifPresent(
            id -> assertThat(bench.links().close(id)).isEqualTo(model.links().close(id)));
  }

  void release(UUID job) {
    assertThat(bench.links().release(job)).isEqualTo(model.links().release(job));
  }

  void compare() {
    model.links().batches().forEach((id, batch) -> {
      BatchRecord record = bench.batch(id);
      assertThat(record.counts()).isEqualTo(model.links().counts(batch));
      assertThat(record.open()).isEqualTo(batch.open);
      assertThat(record.isOver()).as("batch %s is over", id).isEqualTo(batch.over);
    });
  }
}
