package io.sluice.crashtest;

import io.sluice.AfterPolicy;
import io.sluice.BatchRequest;
import io.sluice.CallbackOn;
import io.sluice.JobState;
import io.sluice.Step;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A batch of the crash test, known by its number alone: short jobs, some of which wait for another one,
 * and a callback. Says what must become of each of them.
 */
record BatchPlan(int number) {
  /** The number of jobs for each batch. */
  static final int EVERY = 50;

  private static final List<CallbackOn> CALLBACKS =
      List.of(CallbackOn.ALWAYS, CallbackOn.SUCCESS, CallbackOn.FAILURE);
  private static final String NAME = "batch-";
  private static final long FIRST = 2_000_000;
  private static final int MEMBERS = 5;
  private static final int NUMBERS = MEMBERS + 1;

  /** The plan that a job with this number is of; only of a number that {@link #includes} is. */
  static BatchPlan of(Work work) {
    return new BatchPlan((int) ((work.seq() - FIRST) / NUMBERS));
  }

  static BatchPlan named(String name) {
    return new BatchPlan(Integer.parseInt(name.substring(NAME.length())));
  }

  static boolean isName(String name) {
    return name.startsWith(NAME);
  }

  /** True when the job belongs to a batch, as a member or as the callback. */
  static boolean includes(Work work) {
    return work.seq() >= FIRST;
  }

  String name() {
    return NAME + number;
  }

  List<Work> members() {
    return IntStream.range(0, MEMBERS).mapToObj(this::member).toList();
  }

  Work callback() {
    return Work.of(FIRST + (long) number * NUMBERS + MEMBERS, Work.AFTERWARDS, 0, 0);
  }

  private Work member(int place) {
    boolean hopeless = place == 1 && number % 4 == 1;
    long seq = FIRST + (long) number * NUMBERS + place;
    return Work.of(seq, Work.MEMBER, place, hopeless ? Work.ATTEMPTS : 0);
  }

  private CallbackOn on() {
    return CALLBACKS.get(number % CALLBACKS.size());
  }

  /** In half of the batches one job is for the failure of another. */
  private boolean hasCleanup() {
    return number % 2 == 0;
  }

  BatchRequest request() {
    BatchRequest request =
        BatchRequest.named(name()).idempotencyKey(name()).callback(callback().withoutKey(), on());
    List<Step> steps =
        members().stream().map(member -> request.add(member.withoutKey())).toList();
    if (hasCleanup()) {
      steps.get(2).after(steps.get(0)).otherwise(AfterPolicy.IF_FAILED);
    }
    steps.get(3).after(steps.get(1));
    return request;
  }

  /**
   * Whether each job has to run, or is to be cancelled without a run, given what became of all: by the
   * rules of those it waits for.
   */
  boolean hasToRun(Work work, Map<Long, JobState> states) {
    int place = (int) (work.seq() - FIRST - (long) number * NUMBERS);
    return switch (place) {
      case 2 -> !hasCleanup() || states.get(work.seq() - 2) != JobState.COMPLETED;
      case 3 -> states.get(work.seq() - 2) == JobState.COMPLETED;
      case MEMBERS -> callbackHasToRun(states);
      default -> true;
    };
  }

  private boolean callbackHasToRun(Map<Long, JobState> states) {
    boolean succeeded =
        members().stream().allMatch(member -> states.get(member.seq()) == JobState.COMPLETED);
    return switch (on()) {
      case ALWAYS -> true;
      case SUCCESS -> succeeded;
      case FAILURE -> !succeeded;
    };
  }
}
