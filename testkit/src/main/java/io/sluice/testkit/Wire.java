package io.sluice.testkit;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.JobStore;
import io.sluice.store.Queues;
import io.sluice.store.Wakeups;
import io.sluice.store.Workers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The line between one engine and its store. A test can cut it, lose answers on it, hold answers up or
 * keep wake-ups off it; calls go by the name of their method, those of the store's parts too. A line
 * that is cut and never mended is how a process dies, as others see it.
 */
public final class Wire {
  private static final long LONGEST_HOLD_SECONDS = 20;

  private final JobStore store;
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Map<String, AtomicInteger> lostAnswers = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private volatile boolean allCut;
  private volatile boolean deaf;

  public Wire(JobStore store) {
    this.store = store;
  }

  /** The store at the near end of the line. */
  public JobStore store() {
    return through(JobStore.class, store);
  }

  /** Lets these calls fail, or all calls when none is named, without reaching the store. */
  public Wire cut(String... names) {
    if (names.length == 0) {
      allCut = true;
    } else {
      cut.addAll(Set.of(names));
    }
    return this;
  }

  /** Ends all trouble. */
  public void mend() {
    allCut = false;
    cut.clear();
    lostAnswers.clear();
    held.values().forEach(CountDownLatch::countDown);
    held.clear();
  }

  /** Lets the next so many calls be done, with their answers lost. */
  public Wire loseAnswers(String name, int times) {
    lostAnswers.put(name, new AtomicInteger(times));
    return this;
  }

  /** Lets calls be done and keeps their answers back until the latch is open. */
  public CountDownLatch holdAnswers(String name) {
    CountDownLatch latch = new CountDownLatch(1);
    held.put(name, latch);
    return latch;
  }

  /** Keeps wake-ups off the line, from the next listening on. */
  public Wire deafen() {
    deaf = true;
    return this;
  }

  /** How often a call was made, whether it came through or not. */
  public int calls(String name) {
    AtomicInteger count = calls.get(name);
    return count == null ? 0 : count.get();
  }

  private <T> T through(Class<T> type, T target) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    calls.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet();
    if (deaf && name.equals("listen")) {
      return (Wakeups.Subscription) () -> {};
    }
    failIfCut(name);
    Object answer = answer(target, method, arguments);
    hold(name);
    AtomicInteger toLose = lostAnswers.get(name);
    if (toLose != null && toLose.getAndDecrement() > 0) {
      throw trouble("the answer to " + name + " was lost");
    }
    return part(answer);
  }

  private void failIfCut(String name) {
    boolean part = name.equals("workers") || name.equals("queues") || name.equals("wakeups");
    if (!part && (allCut || cut.contains(name))) {
      throw trouble("no line to the store for " + name);
    }
  }

  private static @Nullable Object answer(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void hold(String name) throws InterruptedException {
    CountDownLatch latch = held.get(name);
    if (latch != null && !latch.await(LONGEST_HOLD_SECONDS, TimeUnit.SECONDS)) {
      throw trouble("the answer to " + name + " was held up for too long");
    }
  }

  private @Nullable Object part(@Nullable Object answer) {
    return switch (answer) {
      case Workers workers -> through(Workers.class, workers);
      case Queues queues -> through(Queues.class, queues);
      case Wakeups wakeups -> through(Wakeups.class, wakeups);
      case null -> null;
      default -> answer;
    };
  }

  private static SluiceException trouble(String what) {
    return new SluiceException(ErrorCode.PERSISTENCE_FAILURE, what);
  }
}
