package io.sluice.server.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a route answers: a status, a body that is written as JSON (text and bytes as they are, under the type named
 * in its headers), or none; and what is to be undone when it cannot be sent.
 */
public record Answer(
    int status, @Nullable Object body, Map<String, String> headers, Runnable ifUnsent) {
  public Answer {
    headers = Map.copyOf(headers);
  }

  public Answer(int status, @Nullable Object body, Map<String, String> headers) {
    this(status, body, headers, () -> {});
  }

  /** The same, with something to do when the caller does not get it. */
  public Answer ifUnsent(Runnable undo) {
    return new Answer(status, body, headers, undo);
  }

  /** The same, its body written. */
  Answer withBody(byte[] written) {
    return new Answer(status, written, headers, ifUnsent);
  }

  public static Answer ok(Object body) {
    return new Answer(200, body, Map.of());
  }

  public static Answer created(Object body) {
    return new Answer(201, body, Map.of());
  }

  /** What was asked for has begun and is not done yet. */
  public static Answer accepted(Object body) {
    return new Answer(202, body, Map.of());
  }

  public static Answer none() {
    return new Answer(204, null, Map.of());
  }

  public static Answer text(String type, String body) {
    return new Answer(200, body, Map.of("Content-Type", type));
  }

  public static Answer bytes(String type, byte[] body) {
    return new Answer(200, body, Map.of("Content-Type", type));
  }

  public Answer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, body, more, ifUnsent);
  }
}
