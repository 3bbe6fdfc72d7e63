package io.sluice;

/** Decides about a failed attempt. {@code Outcome.failed(error)} leaves it to the retry policy. */
@FunctionalInterface
public interface ErrorHook<T> {
  Outcome onError(Job<T> job, Exception error);
}
