package io.sluice.server.rest;

import io.sluice.server.access.Access;
import java.util.List;

/** One method of one path: what it asks of its caller, how large a body it takes, what it does. */
public record Route(String method, String path, Access access, long maxBody, Endpoint endpoint) {

  List<String> segments() {
    return segments(path);
  }

  /** The parts of a path; one that ends in a slash has an empty last one. */
  static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /** True when the part of a path is a placeholder, as in {@code /v1/jobs/{id}}. */
  static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }
}
