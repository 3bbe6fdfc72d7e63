package io.sluice.testkit;

import io.sluice.AfterPolicy;
import io.sluice.Defaults;
import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.Priority;
import io.sluice.RetryPolicy;
import io.sluice.Ties;
import io.sluice.When;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job to be, in the words of a test; what is not said is the default. Each change makes a new draft. */
public record Draft(Lane lane, JobSpec spec, When when, boolean strict) {
  /** The type of a job where a test does not care. */
  public static final String TYPE = "work";

  /** A job that is due at once, in the default queue of the default tenant. */
  public static Draft job() {
    JobSpec spec = new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE);
    return new Draft(Lane.of(Defaults.TENANT, Defaults.QUEUE, TYPE), spec, When.now(), false);
  }

  public NewJob as(UUID id) {
    return new NewJob(id, lane, spec, when, strict);
  }

  public Draft tenant(String value) {
    return lane(new Lane(value, lane.queue(), lane.type(), lane.urlGroup(), lane.limitKey()));
  }

  public Draft queue(String value) {
    return lane(new Lane(lane.tenant(), value, lane.type(), lane.urlGroup(), lane.limitKey()));
  }

  public Draft type(String value) {
    return lane(new Lane(lane.tenant(), lane.queue(), value, lane.urlGroup(), lane.limitKey()));
  }

  public Draft urlGroup(String value) {
    return lane(new Lane(lane.tenant(), lane.queue(), lane.type(), value, lane.limitKey()));
  }

  public Draft limitKey(String value) {
    return lane(new Lane(lane.tenant(), lane.queue(), lane.type(), lane.urlGroup(), value));
  }

  public Draft lane(Lane value) {
    return new Draft(value, spec, when, strict);
  }

  public Draft payload(String json) {
    return changed(new JobSpec(
        json,
        spec.priority(),
        spec.retry(),
        spec.timeout(),
        spec.idempotencyKey(),
        spec.expiresAt(),
        spec.metadata(),
        spec.cost()));
  }

  public Draft priority(Priority value) {
    return changed(new JobSpec(
        spec.payload(),
        value,
        spec.retry(),
        spec.timeout(),
        spec.idempotencyKey(),
        spec.expiresAt(),
        spec.metadata(),
        spec.cost()));
  }

  public Draft priority(int value) {
    return priority(new Priority(value));
  }

  public Draft treatment(@Nullable RetryPolicy retry, @Nullable Duration timeout) {
    return changed(new JobSpec(
        spec.payload(),
        spec.priority(),
        retry,
        timeout,
        spec.idempotencyKey(),
        spec.expiresAt(),
        spec.metadata(),
        spec.cost()));
  }

  public Draft key(@Nullable String value) {
    return changed(new JobSpec(
        spec.payload(),
        spec.priority(),
        spec.retry(),
        spec.timeout(),
        value,
        spec.expiresAt(),
        spec.metadata(),
        spec.cost()));
  }

  public Draft expiresAt(@Nullable Instant value) {
    return changed(new JobSpec(
        spec.payload(),
        spec.priority(),
        spec.retry(),
        spec.timeout(),
        spec.idempotencyKey(),
        value,
        spec.metadata(),
        spec.cost()));
  }

  public Draft metadata(Metadata value) {
    return changed(new JobSpec(
        spec.payload(),
        spec.priority(),
        spec.retry(),
        spec.timeout(),
        spec.idempotencyKey(),
        spec.expiresAt(),
        value,
        spec.cost()));
  }

  public Draft cost(int value) {
    return changed(new JobSpec(
        spec.payload(),
        spec.priority(),
        spec.retry(),
        spec.timeout(),
        spec.idempotencyKey(),
        spec.expiresAt(),
        spec.metadata(),
        value));
  }

  /** Waits for these, each known by its id. */
  public Draft after(UUID... ids) {
    return after(Arrays.stream(ids).map(Predecessor::of).toList());
  }

  /** Waits for this one too, known by a name. */
  public Draft after(String name, UUID id) {
    return after(List.of(new Predecessor(id, name)));
  }

  public Draft after(List<Predecessor> more) {
    List<Predecessor> all = new ArrayList<>(spec.ties().after());
    all.addAll(more);
    return ties(new Ties(all, spec.ties().policy(), spec.ties().batch()));
  }

  public Draft policy(AfterPolicy value) {
    return ties(new Ties(spec.ties().after(), value, spec.ties().batch()));
  }

  public Draft batch(@Nullable UUID value) {
    return ties(spec.ties().in(value));
  }

  private Draft ties(Ties value) {
    return spec(spec.withTies(value));
  }

  private Draft changed(JobSpec value) {
    return spec(value.withTies(spec.ties()));
  }

  public Draft spec(JobSpec value) {
    return new Draft(lane, value, when, strict);
  }

  public Draft in(Duration delay) {
    return when(When.in(delay));
  }

  public Draft when(When value) {
    return new Draft(lane, spec, value, strict);
  }

  public Draft strictly() {
    return new Draft(lane, spec, when, true);
  }
}
