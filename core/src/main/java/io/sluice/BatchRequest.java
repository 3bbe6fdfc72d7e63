package io.sluice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that are taken together, all or none, and may wait for one another; with a callback for the moment
 * at which all of them are over. Not for use by several threads at once.
 */
public final class BatchRequest {
  private final String name;
  private final List<Step> steps = new ArrayList<>();
  private String tenant = Defaults.TENANT;
  private CallbackOn on = CallbackOn.ALWAYS;
  private boolean open;
  private @Nullable JobRequest callback;
  private @Nullable String idempotencyKey;
  private @Nullable UUID parent;

  private BatchRequest(String name) {
    this.name = Present.of("name", name);
  }

  public static BatchRequest named(String name) {
    return new BatchRequest(name);
  }

  /** Jobs that run one after the other. */
  public static BatchRequest chain(String name, JobRequest... jobs) {
    BatchRequest chain = named(name);
    Step last = null;
    for (JobRequest job : jobs) {
      Step step = chain.add(job);
      last = last == null ? step : step.after(last);
    }
    return chain;
  }

  /** Adds a job that is named by its number, from 1. */
  public Step add(JobRequest job) {
    return add(String.valueOf(steps.size() + 1), job);
  }

  public Step add(String stepName, JobRequest job) {
    String place = "jobs[" + steps.size() + "]";
    Step step = new Step(Present.of(place + ".name", stepName), Present.of(place, job));
    steps.add(step);
    return step;
  }

  /** Whose batch it is; its jobs are of the same tenant. */
  public BatchRequest tenant(String value) {
    tenant = Present.of("tenant", value);
    return this;
  }

  /** The job to run when all are over; it finds the counts of the batch as its only result. */
  public BatchRequest callback(JobRequest job) {
    return callback(job, CallbackOn.ALWAYS);
  }

  public BatchRequest callback(JobRequest job, CallbackOn when) {
    callback = Present.of("callback", job);
    on = Present.of("callback.on", when);
    return this;
  }

  /** More jobs are to come: the batch does not end before it is closed. */
  public BatchRequest open() {
    open = true;
    return this;
  }

  /** Makes it a member of another batch, which must be open. */
  public BatchRequest in(UUID batch) {
    parent = Present.of("parent", batch);
    return this;
  }

  /** While a batch with this key is kept for the tenant, another one with it is answered by that one. */
  public BatchRequest idempotencyKey(String value) {
    idempotencyKey = value;
    return this;
  }

  public String name() {
    return name;
  }

  public String tenant() {
    return tenant;
  }

  public List<Step> steps() {
    return List.copyOf(steps);
  }

  public Optional<JobRequest> callback() {
    return Optional.ofNullable(callback);
  }

  public CallbackOn on() {
    return on;
  }

  public boolean isOpen() {
    return open;
  }

  public Optional<UUID> parent() {
    return Optional.ofNullable(parent);
  }

  public Optional<String> idempotencyKey() {
    return Optional.ofNullable(idempotencyKey);
  }
}
