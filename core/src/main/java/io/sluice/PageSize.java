package io.sluice;

/**
 * The bounds of one page: at most {@code jobs} jobs, and at most {@code bytes} bytes of what is read of them.
 * A page has at least one job where there is one, however large it is.
 */
public record PageSize(int jobs, long bytes, Detail detail) {
  /** Jobs for a program that looks at their states. */
  public static PageSize states(int jobs) {
    return new PageSize(jobs, Defaults.MAX_PAGE_BYTES, Detail.STATE);
  }

  /** Jobs without payloads, results and stack traces. */
  public static PageSize summaries(int jobs) {
    return new PageSize(jobs, Defaults.MAX_PAGE_BYTES, Detail.SUMMARY);
  }

  /** Whole jobs. */
  public static PageSize full(int jobs) {
    return new PageSize(jobs, Defaults.MAX_PAGE_BYTES, Detail.FULL);
  }

  public static PageSize of(int jobs, Detail detail) {
    return new PageSize(jobs, Defaults.MAX_PAGE_BYTES, detail);
  }
}
