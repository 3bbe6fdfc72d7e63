package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.Page;
import io.sluice.store.Count;
import io.sluice.store.QueueSize;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Two moves on the same job, round after round: the first before the second, the second before the
 * first, and both at once with a lead of varying length.
 */
final class Race {
  private static final int QUICK = 15;
  private static final int LONG = 1000;
  private static final int SOUND_EVERY = 50;
  private static final long STEP_NANOS = 60_000;

  /** What the two moves answered. */
  record Answers<A, B>(A first, B second) {}

  private Race() {}

  /** How often each race is run in this tier. */
  static int rounds() {
    return System.getProperty("sluice.tier", "quick").equals("long") ? LONG : QUICK;
  }

  static void rounds(IntConsumer round) {
    for (int i = 0; i < rounds(); i++) {
      round.accept(i);
    }
  }

  @SuppressWarnings("unchecked")
  static <A, B> Answers<A, B> run(int round, Callable<A> first, Callable<B> second) {
    try {
      if (round % 5 == 0) {
        A a = first.call();
        return new Answers<>(a, second.call());
      }
      if (round % 5 == 1) {
        B b = second.call();
        return new Answers<>(first.call(), b);
      }
    } catch (Exception e) {
      throw new AssertionError("a move failed", e);
    }
    List<Object> answers = Together.run(2, i -> () -> {
      lag(i == 0 ? round % 11 - 5 : 5 - round % 11);
      return i == 0 ? first.call() : second.call();
    });
    return new Answers<>((A) answers.get(0), (B) answers.get(1));
  }

  private static void lag(int steps) {
    long until = System.nanoTime() + steps * STEP_NANOS;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  /**
   * Every job is in one state and one place, and the counter of each capped queue is right. Looked at
   * in the first rounds, now and then, and in the last: what is wrong once stays wrong, and looking
   * takes the longer the more rounds there were.
   */
  static void assertSound(Bench bench, int round) {
    if (round < QUICK || round % SOUND_EVERY == 0 || round == rounds() - 1) {
      assertSound(bench);
    }
  }

  private static void assertSound(Bench bench) {
    List<Count> counts = bench.store().counts(null);
    long listed = 0;
    @Nullable String cursor = null;
    do {
      Page<JobRecord> page = bench.store().page(JobFilter.all(), cursor, 1000);
      listed += page.items().size();
      cursor = page.nextCursor();
    } while (cursor != null);
    assertThat(counts.stream().mapToLong(Count::jobs).sum())
        .as("jobs by state, against jobs")
        .isEqualTo(listed);
    for (QueueSize size : bench.store().queues().sizes()) {
      long held = counts.stream()
          .filter(c -> c.queue().equals(size.queue()) && !c.state().isFinal())
          .mapToLong(Count::jobs)
          .sum();
      assertThat(size.unfinished()).as("what %s holds", size.queue()).isEqualTo(held);
    }
  }
}
