package io.sluice.crashtest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which fault comes when, in a run with a certain seed. */
record Schedule(List<Step> steps) {
  /** The target that stands for the producer; workers are counted from zero. */
  static final int PRODUCER = -1;

  /**
   * A fault: so long after the beginning, at this target, lasting so long. A killed process is started
   * again after that time; words that are held back may be let go earlier. {@code number} counts the
   * faults of its kind from zero.
   */
  record Step(Duration after, FaultKind kind, int number, int target, Duration lasting) {
    Step lasting(Duration value) {
      return new Step(after, kind, number, target, value);
    }
  }

  /** A kind of fault for the so manieth time. */
  private record Turn(FaultKind kind, int number) {}

  Schedule {
    steps = List.copyOf(steps);
  }

  static Schedule of(long seed, Size size) {
    Random random = new Random(seed);
    List<Turn> turns = turns(size, random);
    // Time before the first fault for processes to start, and after the last to see its effects.
    long first = 2_000;
    long each = (size.length().toMillis() - first) / Math.max(1, turns.size());
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      long after = first + i * each + random.nextLong(Math.max(1, each));
      steps.add(step(Duration.ofMillis(after), turns.get(i), size, random));
    }
    return new Schedule(steps);
  }

  private static List<Turn> turns(Size size, Random random) {
    List<Turn> turns = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      for (int number = 0; number < size.count(kind); number++) {
        turns.add(new Turn(kind, number));
      }
    }
    Collections.shuffle(turns, random);
    return turns;
  }

  private static Step step(Duration after, Turn turn, Size size, Random random) {
    int worker = random.nextInt(size.workers());
    boolean producers = random.nextInt(4) == 0;
    double part = random.nextDouble();
    long lease = size.lease().toMillis();
    long lasting = switch (turn.kind) {
      case KILL_WORKER, KILL_PRODUCER -> (long) (100 + part * 1_000);
      case PAUSE_WORKER, HOLD_BACK -> (long) (lease * (1.1 + part * 1.4));
      case CLOCK_STEP -> (long) (lease * (2.5 + part * 1.5));
      case OPEN_TRANSACTION -> (long) (lease * (2.5 + part));
      case LATE_COMMIT -> (long) (200 + part * 150);
      case PAUSE_PRODUCER -> (long) (500 + part * lease);
      case HALF_OPEN -> (long) (500 + part * 2_000);
      case DELAY -> (long) (500 + part * 1_500);
      case KILL_DATABASE -> (long) (part * 1_500);
      case CUT, TERMINATE, LOST_REPLY, STALL -> 0;
    };
    int target = switch (turn.kind) {
      case KILL_PRODUCER, PAUSE_PRODUCER -> PRODUCER;
      case KILL_WORKER, PAUSE_WORKER, HOLD_BACK -> worker;
      default -> producers ? PRODUCER : worker;
    };
    return new Step(after, turn.kind, turn.number, target, Duration.ofMillis(lasting));
  }
}
