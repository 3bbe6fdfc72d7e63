package io.sluice.server.rest;

import io.sluice.server.access.Access;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The table of all routes. What is not in it does not exist. */
public final class Routes {
  /** A few KiB of fields, or a job and its envelope. */
  public static final long SMALL_BODY = 64L << 10;

  /** A route that fits a path, and the values of its parameters. */
  public record Match(Route route, Map<String, String> parameters) {}

  private final Map<Integer, List<Route>> bySize = new HashMap<>();
  private final List<Route> all = new ArrayList<>();

  public Routes get(String path, Access access, Endpoint endpoint) {
    return add(new Route("GET", path, access, 0, endpoint));
  }

  public Routes post(String path, Access access, Endpoint endpoint) {
    return post(path, access, SMALL_BODY, endpoint);
  }

  public Routes post(String path, Access access, long maxBody, Endpoint endpoint) {
    return add(new Route("POST", path, access, maxBody, endpoint));
  }

  public Routes put(String path, Access access, Endpoint endpoint) {
    return add(new Route("PUT", path, access, SMALL_BODY, endpoint));
  }

  public Routes delete(String path, Access access, Endpoint endpoint) {
    return add(new Route("DELETE", path, access, SMALL_BODY, endpoint));
  }

  private Routes add(Route route) {
    all.add(route);
    bySize.computeIfAbsent(route.segments().size(), n -> new ArrayList<>()).add(route);
    return this;
  }

  public List<Route> all() {
    return Collections.unmodifiableList(all);
  }

  /** The route of a method and path; a literal part goes before a parameter. */
  Optional<Match> find(String method, String path) {
    return fitting(path).stream().filter(m -> m.route.method().equals(method)).findFirst();
  }

  /** The methods that a path has; what can be got can be asked for without its body. */
  List<String> methods(String path) {
    return fitting(path).stream()
        .map(m -> m.route.method())
        .flatMap(method -> method.equals("GET") ? Stream.of(method, "HEAD") : Stream.of(method))
        .distinct()
        .sorted()
        .toList();
  }

  private List<Match> fitting(String path) {
    List<String> segments = Route.segments(path).stream().map(Routes::decoded).toList();
    List<Match> fitting = new ArrayList<>();
    for (Route route : bySize.getOrDefault(segments.size(), List.of())) {
      parameters(route.segments(), segments)
          .ifPresent(parameters -> fitting.add(new Match(route, parameters)));
    }
    fitting.sort((a, b) -> Integer.compare(a.parameters.size(), b.parameters.size()));
    return fitting;
  }

  /** A part of a path in plain text; what is not well encoded names nothing. */
  private static String decoded(String segment) {
    try {
      return segment.indexOf('%') < 0
          ? segment
          : URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return segment;
    }
  }

  private static Optional<Map<String, String>> parameters(
      List<String> pattern, List<String> segments) {
    Map<String, String> parameters = new HashMap<>();
    for (int i = 0; i < pattern.size(); i++) {
      String part = pattern.get(i);
      if (Route.isParameter(part)) {
        // Nothing has an empty name, or one that the database could not even look for.
        if (segments.get(i).isEmpty() || !StorableText.isPlain(segments.get(i))) {
          return Optional.empty();
        }
        parameters.put(part.substring(1, part.length() - 1), segments.get(i));
      } else if (!part.equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(parameters);
  }
}
