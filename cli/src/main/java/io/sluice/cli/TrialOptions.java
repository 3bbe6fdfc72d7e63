package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The one real request by which the credentials of a URL group are tried. */
final class TrialOptions {
  @Option(
      names = "--send",
      description = "make one real request with the credentials; at most one in 10 s")
  private boolean send;

  @Option(names = "--method", paramLabel = "METHOD", description = "HEAD (default), GET or OPTIONS")
  private @Nullable String method;

  @Option(names = "--path", paramLabel = "PATH", description = "below the base URL (/)")
  private @Nullable String path;

  /** True where a request is to be made: also when only its method or path is given. */
  boolean isWanted() {
    return send || method != null || path != null;
  }

  JsonNode body() {
    ObjectNode body = new JsonMapper().createObjectNode();
    if (method != null) {
      body.put("method", method);
    }
    if (path != null) {
      body.put("path", path);
    }
    return body;
  }
}
