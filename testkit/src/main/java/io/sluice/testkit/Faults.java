package io.sluice.testkit;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.util.Set;
import java.util.function.Supplier;

/** What is to go wrong with the calls of a {@link FlakyStore}, and how many there were. */
final class Faults {
  private int failures;
  private int lostReplies;
  private boolean down;
  private Set<String> only = Set.of();
  private long calls;

  synchronized void failNext(int n) {
    failures = n;
  }

  synchronized void loseReplies(int n) {
    lostReplies = n;
  }

  synchronized void down(boolean value) {
    down = value;
  }

  synchronized void only(Set<String> methods) {
    only = methods;
  }

  synchronized void clear() {
    failures = 0;
    lostReplies = 0;
    down = false;
    only = Set.of();
  }

  synchronized long calls() {
    return calls;
  }

  <T> T pass(String method, Supplier<T> call) {
    Fault fault = next(method);
    if (fault == Fault.REFUSED) {
      throw failure(method, "the store cannot be reached");
    }
    T answer = call.get();
    if (fault == Fault.REPLY_LOST) {
      throw failure(method, "the reply was lost");
    }
    return answer;
  }

  private synchronized Fault next(String method) {
    calls++;
    if (!only.isEmpty() && !only.contains(method)) {
      return Fault.NONE;
    }
    if (down) {
      return Fault.REFUSED;
    }
    if (failures > 0) {
      failures--;
      return Fault.REFUSED;
    }
    if (lostReplies > 0) {
      lostReplies--;
      return Fault.REPLY_LOST;
    }
    return Fault.NONE;
  }

  private static SluiceException failure(String method, String why) {
    return new SluiceException(ErrorCode.PERSISTENCE_FAILURE, why + " (" + method + ")");
  }

  private enum Fault {
    NONE,
    REFUSED,
    REPLY_LOST
  }
}
