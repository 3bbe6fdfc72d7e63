package io.sluice.testkit;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is to go wrong with the calls of a {@link FlakyStore}, and how many there were. */
final class Faults {
  private static final long LONGEST_HOLD_SECONDS = 20;

  private int failures;
  private int lostReplies;
  private boolean down;
  private Set<String> only = Set.of();
  private long calls;
  private final Map<String, Integer> callsByMethod = new HashMap<>();
  private final Map<String, CountDownLatch> held = new HashMap<>();

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
    held.values().forEach(CountDownLatch::countDown);
    held.clear();
  }

  synchronized void hold(String method) {
    held.put(method, new CountDownLatch(1));
  }

  synchronized int calls(String method) {
    return callsByMethod.getOrDefault(method, 0);
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
    await(latchOf(method), method);
    if (fault == Fault.REPLY_LOST) {
      throw failure(method, "the reply was lost");
    }
    return answer;
  }

  private synchronized @Nullable CountDownLatch latchOf(String method) {
    return held.get(method);
  }

  private static void await(@Nullable CountDownLatch latch, String method) {
    try {
      if (latch != null && !latch.await(LONGEST_HOLD_SECONDS, TimeUnit.SECONDS)) {
        throw failure(method, "the reply was held back for too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(method, "interrupted while the reply was held back");
    }
  }

  private synchronized Fault next(String method) {
    calls++;
    callsByMethod.merge(method, 1, Integer::sum);
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
