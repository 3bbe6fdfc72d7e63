package io.sluice;

/** How many jobs and batches a batch has, and how many of them ended how; {@code failed} are dead ones too. */
public record BatchCounts(long total, long completed, long failed, long cancelled) {
  public long over() {
    return completed + failed + cancelled;
  }

  public boolean succeeded() {
    return completed == total;
  }

  /** What a batch that is over counts as, for those that wait for it and for the batch it is in. */
  public JobState outcome() {
    return succeeded() ? JobState.COMPLETED : failed > 0 ? JobState.DEAD : JobState.CANCELLED;
  }
}
