package io.sluice;

/** A handler that says what shall become of its job. */
@FunctionalInterface
public interface AnsweringHandler<T> {
  Outcome handle(Job<T> job, JobContext context) throws Exception;
}
