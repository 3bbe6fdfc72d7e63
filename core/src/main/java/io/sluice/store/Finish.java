package io.sluice.store;

/**
 * The end of one claim. It takes effect only while that claim stands, and where it says so only as long as the
 * start of the job is not noted with {@link JobStore#started}.
 */
public record Finish(ClaimRef ref, Verdict verdict, boolean onlyUnstarted) {
  public Finish(ClaimRef ref, Verdict verdict) {
    this(ref, verdict, false);
  }

  /** An end that was decided because the job had not started: a start that is noted first prevents it. */
  public static Finish unlessStarted(ClaimRef ref, Verdict verdict) {
    return new Finish(ref, verdict, true);
  }
}
