package io.sluice;

/**
 * Does the work of many jobs of one type at once. A job it gave no answer for is done when it returns
 * normally, and failed when it throws.
 */
@FunctionalInterface
public interface BatchHandler<T> {
  void handle(Batch<T> batch) throws Exception;
}
