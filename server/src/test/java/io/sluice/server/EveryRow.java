package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;

/** Puts a row of every kind into a server by its API: the same for this version and for older ones. */
final class EveryRow {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final Client admin;
  private final Receiver receiver;

  private EveryRow(Client admin, Receiver receiver) {
    this.admin = admin;
    this.receiver = receiver;
  }

  /** Fills the server at an address: how the fixture of a version is made, with that version running. */
  public static void main(String[] words) {
    Client admin = new Client(words[0], words[1]);
    ok(admin.put(
        "/v1/queues/default", "{\"retention\":{\"completed\":\"3650d\",\"dead\":\"3650d\"}}"));
    try (Receiver receiver = new Receiver()) {
      fill(admin, receiver);
      System.out.println(running(admin));
    }
  }

  /** Everything but a job that runs. */
  static void fill(Client admin, Receiver receiver) {
    EveryRow rows = new EveryRow(admin, receiver);
    rows.tenants();
    rows.places();
    rows.jobs();
  }

  /** A job that a pull worker holds for an hour. */
  static String running(Client admin) {
    ok(admin.post("/v1/queues", "{\"name\":\"pulled\"}"));
    String id = ok(admin.post(
            "/v1/jobs", "{\"queue\":\"pulled\",\"type\":\"pull.me\",\"payload\":{\"n\":1}}"))
        .text("/id");
    Client.Reply claim = ok(
        admin.post("/v1/queues/pulled/claim", "{\"worker\":\"w\",\"max\":1,\"leaseFor\":\"1h\"}"));
    assertThat(claim.raw().body()).contains(id);
    ok(admin.post(
        "/v1/leases/" + claim.text("/items/0/lease") + "/heartbeat",
        "{\"extendBy\":\"1h\",\"progress\":{\"percent\":40,\"message\":\"on its way\"}}"));
    return claim.raw().body();
  }

  private static Client.Reply ok(Client.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isBetween(200, 299);
    return reply;
  }

  private void tenants() {
    ok(admin.post("/v1/tenants", "{\"name\":\"acme\",\"maxSize\":1000,\"maxConcurrent\":5}"));
    ok(admin.post("/v1/tenants", "{\"name\":\"idle\"}"));
    ok(admin.put("/v1/tenants/idle", "{\"enabled\":false}"));
    ok(admin.post("/v1/tenants/acme/keys", "{\"name\":\"one\",\"role\":\"operator\"}"));
    ok(admin.post(
        "/v1/tenants/acme/keys",
        "{\"name\":\"two\",\"role\":\"viewer\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}"));
    String revoked = ok(admin.post(
            "/v1/tenants/acme/keys", "{\"name\":\"three\",\"role\":\"worker\"}"))
        .text("/id");
    ok(admin.delete("/v1/tenants/acme/keys/" + revoked));
  }

  private void places() {
    group(
        "bearer",
        ",\"auth\":{\"type\":\"bearer\",\"token\":\"tok\"},\"signing\":{\"scheme\":"
            + "\"standard-webhooks\",\"secrets\":[\"" + SECRET + "\"]}");
    group("basic", ",\"auth\":{\"type\":\"basic\",\"username\":\"u\",\"password\":\"p\"}");
    group(
        "header",
        ",\"auth\":{\"type\":\"header\",\"name\":\"X-Key\",\"value\":\"v\"},"
            + "\"defaultHeaders\":{\"X-Api-Key\":\"kept\",\"X-Plain\":\"plain\"}");
    ok(admin.post("/v1/url-groups/basic/secrets/rotate", null));
    ok(admin.post("/v1/queues", "{\"name\":\"paused\",\"maxSize\":100,\"urlGroup\":\"bearer\"}"));
    ok(admin.post("/v1/queues/paused/pause", null));
    ok(admin.post("/v1/queues", "{\"name\":\"narrow\",\"maxConcurrent\":2,\"priority\":3}"));
  }

  private void group(String name, String more) {
    ok(admin.post(
        "/v1/url-groups",
        "{\"name\":\"%s\",\"baseUrl\":\"%s\"%s}".formatted(name, receiver.url(), more)));
  }

  private void jobs() {
    receiver.answer("/dead", got -> Receiver.Reply.of(400));
    receiver.answer("/again", got -> Receiver.Reply.of(503));
    String done = job("\"path\":\"/done?token=q\",\"idempotencyKey\":\"k1\"");
    String dead = job("\"path\":\"/dead\",\"headers\":{\"Authorization\":\"h\"}");
    String again =
        job("\"path\":\"/again\",\"retry\":{\"initialDelay\":\"2h\",\"maxDelay\":\"3h\"}");
    String later = job(
        "\"path\":\"/later\",\"delay\":\"3h\",\"metadata\":{\"custom\":{\"order\":\"tab\\tand \\\\\"}}");
    String cancelled = job("\"path\":\"/never\",\"delay\":\"3h\"");
    job("\"path\":\"/in-time\",\"delay\":\"4h\",\"expiresAt\":\"2999-01-01T00:00:00Z\"");
    job("\"path\":\"/waits?sig=q\",\"queue\":\"paused\",\"headers\":{\"X-Session-Token\":\"h2\"}");
    job("\"path\":\"/waits\",\"queue\":\"paused\",\"body\":\"line\\nbreak \\u0001 ünï\"");
    ok(admin.delete("/v1/jobs/" + cancelled));
    await(done, "COMPLETED");
    await(dead, "DEAD");
    await(again, "RETRYING");
    await(later, "SCHEDULED");
    await(cancelled, "CANCELLED");
  }

  private String job(String fields) {
    return ok(admin.post("/v1/jobs", "{\"urlGroup\":\"bearer\"," + fields + "}"))
        .text("/id");
  }

  private void await(String id, String state) {
    Eventually.await(
        id + " is " + state, () -> admin.get("/v1/jobs/" + id).text("/state").equals(state));
  }
}
