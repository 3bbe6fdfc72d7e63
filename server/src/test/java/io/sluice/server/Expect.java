package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** What tests expect of answers, in one line each. */
public final class Expect {
  private Expect() {}

  /** A success with this status. */
  public static JsonNode ok(int status, Client.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(status);
    return reply.body();
  }

  /** A refusal in the form that every refusal has. */
  public static Client.Reply refused(int status, String code, Client.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(status);
    assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
    assertThat(reply.text("/code")).isEqualTo(code);
    assertThat(reply.body().at("/status").asInt()).isEqualTo(status);
    assertThat(reply.text("/type")).startsWith("urn:sluice:problem:");
    assertThat(reply.text("/title")).isNotEmpty();
    assertThat(reply.text("/detail")).isNotEmpty();
    return reply;
  }

  /** A 422 that names this field among what is wrong. */
  public static void invalid(String field, Client.Reply reply) {
    refused(422, "INVALID_MESSAGE", reply);
    assertThat(texts(reply.body().path("errors"), "field"))
        .as(reply.raw().body())
        .contains(field);
  }

  /** The texts of a field in every item of a list. */
  public static List<String> texts(JsonNode items, String field) {
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.path(field).asString())
        .toList();
  }
}
