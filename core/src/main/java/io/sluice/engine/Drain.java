package io.sluice.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How fast something gets rid of jobs: what had ended by when, looked at now and then. */
final class Drain {
  private static final long WINDOW = Duration.ofSeconds(30).toNanos();

  private record Sample(long at, long ended) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  void note(long at, long ended) {
    Sample last = samples.peekLast();
    // Fewer than before: it was counted anew, or more was replayed than ended.
    if (last != null && ended < last.ended()) {
      samples.clear();
    }
    samples.add(new Sample(at, ended));
    while (at - samples.getFirst().at() > WINDOW) {
      samples.removeFirst();
    }
  }

  /** How many ended in a second, over the last half minute or what is known of it; 0 where unknown. */
  double perSecond() {
    if (samples.size() < 2) {
      return 0;
    }
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    long nanos = last.at() - first.at();
    return nanos <= 0 ? 0 : (last.ended() - first.ended()) * 1e9 / nanos;
  }
}
