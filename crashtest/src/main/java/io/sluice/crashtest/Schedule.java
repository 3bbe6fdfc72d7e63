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

  private static final List<FaultKind> ON_CONNECTIONS = List.of(
      FaultKind.CUT,
      FaultKind.TERMINATE,
      FaultKind.LOST_REPLY,
      FaultKind.HALF_OPEN,
      FaultKind.DELAY,
      FaultKind.LOST_REPLY);

  /**
   * A fault: so long after the beginning, at this target, lasting so long. A killed process is started
   * again after that time; words that are held back may be let go earlier.
   */
  record Step(Duration after, FaultKind kind, int target, Duration lasting) {}

  Schedule {
    steps = List.copyOf(steps);
  }

  static Schedule of(long seed, Size size) {
    Random random = new Random(seed);
    List<FaultKind> kinds = kinds(size.faults(), random);
    // Time before the first fault for processes to start, and after the last to see its effects.
    long first = 2_000;
    long each = (size.length().toMillis() - first) / kinds.size();
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      long after = first + i * each + random.nextLong(Math.max(1, each));
      steps.add(step(Duration.ofMillis(after), kinds.get(i), size, random));
    }
    return new Schedule(steps);
  }

  private static List<FaultKind> kinds(Size.Faults faults, Random random) {
    List<FaultKind> kinds = new ArrayList<>();
    kinds.addAll(Collections.nCopies(faults.kills(), FaultKind.KILL_WORKER));
    kinds.addAll(Collections.nCopies(faults.pauses(), FaultKind.PAUSE_WORKER));
    kinds.addAll(Collections.nCopies(faults.databaseKills(), FaultKind.KILL_DATABASE));
    kinds.addAll(Collections.nCopies(faults.lateWords(), FaultKind.HOLD_BACK));
    for (int i = 0; i < faults.producers(); i++) {
      kinds.add(i % 3 == 2 ? FaultKind.PAUSE_PRODUCER : FaultKind.KILL_PRODUCER);
    }
    for (int i = 0; i < faults.connections(); i++) {
      kinds.add(ON_CONNECTIONS.get(i % ON_CONNECTIONS.size()));
    }
    Collections.shuffle(kinds, random);
    return kinds;
  }

  private static Step step(Duration after, FaultKind kind, Size size, Random random) {
    int worker = random.nextInt(size.workers());
    boolean producers = random.nextInt(4) == 0;
    double part = random.nextDouble();
    long lease = size.lease().toMillis();
    long lasting = switch (kind) {
      case KILL_WORKER, KILL_PRODUCER -> (long) (100 + part * 1_000);
      case PAUSE_WORKER, HOLD_BACK -> (long) (lease * (1.1 + part * 1.4));
      case PAUSE_PRODUCER -> (long) (500 + part * lease);
      case HALF_OPEN -> (long) (500 + part * 2_000);
      case DELAY -> (long) (500 + part * 1_500);
      case KILL_DATABASE -> (long) (part * 1_500);
      case CUT, TERMINATE, LOST_REPLY, STALL -> 0;
    };
    int target = switch (kind) {
      case KILL_PRODUCER, PAUSE_PRODUCER -> PRODUCER;
      case KILL_WORKER, PAUSE_WORKER, HOLD_BACK -> worker;
      default -> producers ? PRODUCER : worker;
    };
    return new Step(after, kind, target, Duration.ofMillis(lasting));
  }
}
