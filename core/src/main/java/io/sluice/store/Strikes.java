package io.sluice.store;

/**
 * A job's record of lost workers: how many died while this job alone ran on them, and how many in a
 * row while others ran there as well. The first count to the end of the job, the second only ask
 * for solitude: an ordinary end of an attempt clears them.
 */
public record Strikes(int alone, int inCompany) {
  public static final Strikes NONE = new Strikes(0, 0);
  /** More deaths in company than this are not told apart. */
  private static final int MOST = 100;

  /** How many deaths speak against the job, of either kind. */
  public int deaths() {
    return alone + inCompany;
  }

  /** True when the job should be started alone, so that the next death tells who is to blame. */
  public boolean isSuspect() {
    return deaths() > 0;
  }

  /** One more death while it ran alone. */
  public Strikes struck() {
    return new Strikes(alone + 1, inCompany);
  }

  /** One more death in company. */
  public Strikes suspected() {
    return new Strikes(alone, Math.min(inCompany + 1, MOST));
  }

  /** The job lived through an attempt: what happened in company is forgotten. */
  public Strikes cleared() {
    return new Strikes(alone, 0);
  }
}
