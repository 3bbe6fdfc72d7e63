package io.sluice.testkit;

import io.sluice.AfterPolicy;
import io.sluice.Defaults;
import io.sluice.store.ClaimRef;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A batch to be, in the words of a test; what is not said is the default. Each change makes a new draft. */
public record BatchDraft(NewBatch batch) {
  public static BatchDraft of(UUID id) {
    return new BatchDraft(new NewBatch(
        id, Defaults.TENANT, "night run", false, null, null, null, null, Links.KEEP_BATCH));
  }

  NewBatch as() {
    return batch;
  }

  UUID id() {
    return batch.id();
  }

  /** A job as a member of it. */
  NewJob member(NewJob job) {
    return new NewJob(
        job.id(),
        job.lane(),
        job.spec().withTies(job.spec().ties().in(batch.id())),
        job.when(),
        job.strict());
  }

  public BatchDraft tenant(String value) {
    return with(value, batch.open(), batch.parent(), batch.by(), batch.callback());
  }

  public BatchDraft open() {
    return with(batch.tenant(), true, batch.parent(), batch.by(), batch.callback());
  }

  public BatchDraft in(UUID parent, @Nullable ClaimRef by) {
    return with(batch.tenant(), batch.open(), parent, by, batch.callback());
  }

  /** A callback of its own type, which waits for the batch. */
  public BatchDraft callback(UUID id, AfterPolicy policy) {
    Draft job = Draft.job()
        .tenant(batch.tenant())
        .type("callback")
        .after("batch", batch.id())
        .policy(policy);
    return with(batch.tenant(), batch.open(), batch.parent(), batch.by(), job.as(id));
  }

  public BatchDraft key(String value) {
    return new BatchDraft(new NewBatch(
        batch.id(),
        batch.tenant(),
        batch.name(),
        batch.open(),
        batch.parent(),
        batch.by(),
        value,
        batch.callback(),
        batch.keepFor()));
  }

  public BatchDraft keepFor(Duration value) {
    return new BatchDraft(new NewBatch(
        batch.id(),
        batch.tenant(),
        batch.name(),
        batch.open(),
        batch.parent(),
        batch.by(),
        batch.idempotencyKey(),
        batch.callback(),
        value));
  }

  private BatchDraft with(
      String tenant,
      boolean open,
      @Nullable UUID parent,
      @Nullable ClaimRef by,
      @Nullable NewJob callback) {
    return new BatchDraft(new NewBatch(
        batch.id(),
        tenant,
        batch.name(),
        open,
        parent,
        by,
        batch.idempotencyKey(),
        callback,
        batch.keepFor()));
  }
}
