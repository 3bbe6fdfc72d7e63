package io.sluice;

/** How soon a job runs among the jobs of its queue: 0 to 20, lower first. */
public record Priority(int value) implements Comparable<Priority> {
  public static final Priority CRITICAL = new Priority(0);
  public static final Priority HIGH = new Priority(5);
  public static final Priority NORMAL = new Priority(10);
  public static final Priority LOW = new Priority(15);

  private static final int LOWEST = 20;

  public Priority {
    if (value < 0 || value > LOWEST) {
      throw SluiceException.invalid("priority", "must be 0 to " + LOWEST + ", was " + value);
    }
  }

  @Override
  public int compareTo(Priority other) {
    return Integer.compare(value, other.value);
  }
}
