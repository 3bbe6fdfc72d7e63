package io.sluice.server.openapi;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * {@code GET /openapi.json}: the description of the API, written by hand, a YAML file for each area, and
 * put together when it is first asked for.
 */
public final class OpenApi {
  private static final List<String> FILES = List.of(
      "api.yaml",
      "tenants.yaml",
      "queues.yaml",
      "jobs.yaml",
      "job-schemas.yaml",
      "batches.yaml",
      "dlq.yaml",
      "pull.yaml",
      "url-groups.yaml",
      "url-group-schemas.yaml",
      "limits.yaml",
      "breakers.yaml",
      "system.yaml");

  private final String version;
  private final Routes routes;
  private volatile byte[] document = {};

  /** Describes these routes; more of them may be added until the first request. */
  public OpenApi(String version, Routes routes) {
    this.version = version;
    this.routes = routes;
  }

  public Routes addTo(Routes table) {
    return table.get("/openapi.json", Access.PUBLIC, call -> {
      call.query().only();
      return Answer.bytes("application/json", bytes());
    });
  }

  /** The document as it is sent, the same bytes to all: anybody may ask for it, and be slow to read it. */
  private byte[] bytes() {
    if (document.length == 0) {
      // Done twice when two ask at once, with the same result.
      document = document().toString().getBytes(StandardCharsets.UTF_8);
    }
    return document;
  }

  /** The whole document. */
  ObjectNode document() {
    YAMLMapper mapper = new YAMLMapper();
    ObjectNode whole = mapper.createObjectNode();
    FILES.forEach(file -> merge(whole, mapper.readTree(text(file))));
    whole.withObject("info").put("version", version);
    Usual usual = new Usual(routes);
    whole
        .withObject("paths")
        .propertyStream()
        .forEach(path -> path.getValue()
            .propertyStream()
            .filter(entry -> entry.getValue() instanceof ObjectNode)
            .forEach(
                entry -> usual.add(path.getKey(), entry.getKey(), (ObjectNode) entry.getValue())));
    return whole;
  }

  private static String text(String file) {
    try (InputStream in = OpenApi.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts what a file says into the whole; nothing may be said twice. */
  private static void merge(ObjectNode whole, JsonNode part) {
    part.propertyStream().forEach(property -> {
      JsonNode there = whole.get(property.getKey());
      if (there == null) {
        whole.set(property.getKey(), property.getValue());
      } else if (there instanceof ObjectNode object && property.getValue().isObject()) {
        merge(object, property.getValue());
      } else {
        throw new IllegalStateException("the API describes " + property.getKey() + " twice");
      }
    });
  }
}
