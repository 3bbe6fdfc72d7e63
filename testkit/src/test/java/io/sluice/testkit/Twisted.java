package io.sluice.testkit;

import io.sluice.store.JobStore;
import io.sluice.store.Limits;
import io.sluice.store.Workers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stores with one method gone wrong, to show that the contract suite notices. */
final class Twisted {
  /** What a method does instead; it may ask the real one. */
  @FunctionalInterface
  interface Twist {
    @Nullable
    Object call(JobStore real, Object[] arguments);
  }

  private Twisted() {}

  static JobStore store(JobStore real, String method, Twist twist) {
    return twisted(JobStore.class, real, method, arguments -> twist.call(real, arguments));
  }

  static JobStore workers(JobStore real, String method, Twist twist) {
    Workers workers =
        twisted(Workers.class, real.workers(), method, arguments -> twist.call(real, arguments));
    return store(real, "workers", (store, arguments) -> workers);
  }

  static JobStore limits(JobStore real, String method, Twist twist) {
    Limits limits =
        twisted(Limits.class, real.limits(), method, arguments -> twist.call(real, arguments));
    return store(real, "limits", (store, arguments) -> limits);
  }

  private static <T> T twisted(Class<T> type, T real, String twistedMethod, Body body) {
    return type.cast(Proxy.newProxyInstance(
        Twisted.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> method.getName().equals(twistedMethod)
            ? body.call(arguments)
            : invoke(method, real, arguments)));
  }

  private static Object invoke(Method method, Object real, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The body of a twisted method. */
  @FunctionalInterface
  private interface Body {
    @Nullable
    Object call(Object[] arguments);
  }
}
