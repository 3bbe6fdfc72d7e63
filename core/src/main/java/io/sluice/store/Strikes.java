package io.sluice.store;

/**
 * A job's record of lost workers: how many died while this job alone ran on them, and whether it was
 * in the company of others when the last one died.
 */
public record Strikes(int count, boolean suspect) {
  public static final Strikes NONE = new Strikes(0, false);

  /** True when the job must be started alone, so that the next death tells who is to blame. */
  public boolean mustRunAlone() {
    return count > 0 || suspect;
  }
}
