package io.sluice;

/** Looks at a payload before the handler does. Throwing IllegalArgumentException refuses it. */
@FunctionalInterface
public interface Check<T> {
  void check(T payload) throws Exception;
}
