package io.sluice.server.rest;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Who is told of every request that was answered, and the clock it is timed by. */
public record Traffic(LongSupplier nanoTime, Consumer<Exchange> told) {
  /** A request and its answer; {@code route} is the path with its parameters unfilled. */
  public record Exchange(String method, String route, int status, Duration took) {}

  /** What stands for the route where no route fits, so that nobody can make up new ones. */
  public static final String NO_ROUTE = "none";
}
