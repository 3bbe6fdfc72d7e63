package io.sluice;

import java.util.ArrayList;
import java.util.List;

/** A job of a batch under a name of its own there, and the steps that it waits for. */
public final class Step {
  private final String name;
  private final JobRequest job;
  private final List<String> after = new ArrayList<>();

  Step(String name, JobRequest job) {
    this.name = name;
    this.job = job;
  }

  /** Runs when these steps of the same batch are over. */
  public Step after(Step... steps) {
    for (Step step : steps) {
      after(Present.of(nextAfter(), step).name());
    }
    return this;
  }

  /** Runs when the steps of these names are over, whether or not they are there yet. */
  public Step after(String... names) {
    for (String other : names) {
      after.add(Present.of(nextAfter(), other));
    }
    return this;
  }

  private String nextAfter() {
    return "after[" + after.size() + "]";
  }

  /** What becomes of it when one of them does not complete. */
  public Step otherwise(AfterPolicy policy) {
    job.afterPolicy(policy);
    return this;
  }

  public String name() {
    return name;
  }

  public JobRequest job() {
    return job;
  }

  public List<String> after() {
    return List.copyOf(after);
  }
}
