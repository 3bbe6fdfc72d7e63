package io.sluice;

import java.util.UUID;

/** A job or a batch that another job waits for, and the name under which that one knows its result. */
public record Predecessor(UUID id, String name) {
  /** One that is known by its id. */
  public static Predecessor of(UUID id) {
    return new Predecessor(id, id.toString());
  }
}
