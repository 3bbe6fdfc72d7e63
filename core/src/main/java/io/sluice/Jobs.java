package io.sluice;

import java.util.Map;

/** Where a job to be enqueued begins. */
public final class Jobs {
  private Jobs() {}

  /** A job whose payload is written as JSON. */
  public static JobRequest of(String type, Object payload) {
    return new JobRequest(type, payload, false);
  }

  /** A job that needs no payload. */
  public static JobRequest of(String type) {
    return of(type, Map.of());
  }

  /** A job whose payload is JSON text already. */
  public static JobRequest raw(String type, String json) {
    return new JobRequest(type, json, true);
  }
}
