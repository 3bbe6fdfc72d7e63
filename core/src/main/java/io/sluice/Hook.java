package io.sluice;

/** A step before or after the handler. Throwing fails the attempt. */
@FunctionalInterface
public interface Hook<T> {
  void run(Job<T> job) throws Exception;
}
