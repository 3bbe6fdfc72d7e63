package io.sluice.crashtest;

import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reads the fencing token of every claim as it passes, because a handler is not told its own. */
final class ClaimTap {
  private final Map<UUID, Integer> turns = new ConcurrentHashMap<>();

  /** The turn of the newest claim on a job in this process. */
  int turn(UUID job) {
    return turns.getOrDefault(job, 0);
  }

  JobStore on(JobStore store) {
    return (JobStore) java.lang.reflect.Proxy.newProxyInstance(
        ClaimTap.class.getClassLoader(),
        new Class<?>[] {JobStore.class},
        (proxy, method, arguments) -> seen(invoke(method, store, arguments)));
  }

  private @Nullable Object seen(@Nullable Object answer) {
    if (answer instanceof Claimed claimed) {
      for (ClaimedJob job : claimed.jobs()) {
        turns.put(job.ref().job(), job.ref().turn());
      }
    }
    return answer;
  }

  private static @Nullable Object invoke(
      Method method, JobStore store, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
