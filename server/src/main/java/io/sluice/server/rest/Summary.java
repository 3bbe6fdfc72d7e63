package io.sluice.server.rest;

/** A value that is answered without its parts that are {@link Whole}. */
public record Summary(Object value) {
  /** Marks what is left out of summaries, with {@code @JsonView}. */
  public interface Whole {}
}
