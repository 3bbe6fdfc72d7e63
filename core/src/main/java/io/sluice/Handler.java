package io.sluice;

/** Does the work of one job. Returning normally means done; throwing means failed. */
@FunctionalInterface
public interface Handler<T> {
  void handle(Job<T> job, JobContext context) throws Exception;
}
