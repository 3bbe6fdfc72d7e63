package io.sluice.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorCode;
import io.sluice.Priority;
import io.sluice.SluiceException;
import io.sluice.server.Client;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What every route has in common, over a real socket. */
class RestServerTest {
  private record Thing(String name, Duration pause, Priority priority, List<Thing> parts) {}

  private static RestServer server;
  private static Client admin;

  @BeforeAll
  static void start() {
    Routes routes = new Routes()
        .get("/open", Access.PUBLIC, call -> Answer.ok(Map.of("open", true)))
        .get("/things/{id}", Access.READ, call -> Answer.ok(Map.of("id", call.path("id"))))
        .get("/things/special", Access.READ, call -> Answer.ok(Map.of("id", "the special one")))
        .get("/tenant", Access.READ, call -> Answer.ok(Map.of("tenant", call.tenant())))
        .get(
            "/list",
            Access.READ,
            call -> Answer.ok(call.query().onlyPaged("a", "metadata.").limit()))
        .get("/plain", Access.READ, call -> {
          call.query().only();
          return Answer.none();
        })
        .get("/broken", Access.READ, call -> {
          throw new IllegalStateException("a secret of the house");
        })
        .get("/away", Access.READ, call -> {
          throw new SluiceException(
              ErrorCode.PERSISTENCE_FAILURE, "Connection to db.inside:5432 refused");
        })
        .post("/things", Access.OPERATE, 100, call -> Answer.created(call.body(Thing.class)))
        .put(
            "/things/{id}",
            Access.OPERATE,
            call -> Answer.ok(call.changed(
                new Thing("a", Duration.ofSeconds(1), Priority.LOW, List.of()), Thing.class)))
        .delete("/things/{id}", Access.ADMIN, call -> Answer.none());
    Gatekeeper gatekeeper = new Gatekeeper(
        (token, address) -> {
          if (token.equals("wrong")) {
            throw new SluiceException(ErrorCode.UNAUTHORIZED, "no");
          }
          if (token.equals("unknowable")) {
            throw new SluiceException(
                ErrorCode.PERSISTENCE_FAILURE, "Connection to db.inside:5432 refused");
          }
          return new Caller("acme", Role.valueOf(token.toUpperCase(Locale.ROOT)), "k");
        },
        name -> name);
    server = new RestServer(
        new Listen("127.0.0.1", 0, null),
        routes,
        gatekeeper,
        new Json(),
        new Traffic(System::nanoTime, exchange -> {}));
    server.start();
    admin = new Client("http://127.0.0.1:" + server.port(), "admin");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void refused(Client.Reply reply, int status, String code, String field) {
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
    assertThat(reply.text("/code")).isEqualTo(code);
    assertThat(reply.body().at("/status").asInt()).isEqualTo(status);
    assertThat(reply.text("/errors/0/field")).isEqualTo(field);
  }

  @Test
  void openRoute_needsNoCredential_othersDo() {
    assertThat(admin.withKey(null).get("/open").status()).isEqualTo(200);
    refused(admin.withKey(null).get("/things/1"), 401, "UNAUTHORIZED", "");
    refused(admin.withKey("wrong").get("/things/1"), 401, "UNAUTHORIZED", "");
    refused(admin.withKey(null).get("/nowhere"), 401, "UNAUTHORIZED", "");
  }

  @Test
  void storeThatIsAway_isNotNamed_toStrangersNorToCallers() {
    for (Client.Reply reply :
        List.of(admin.withKey("unknowable").get("/things/1"), admin.get("/away"))) {
      refused(reply, 503, "PERSISTENCE_FAILURE", "");
      assertThat(reply.header("retry-after")).isEqualTo("1");
      assertThat(reply.raw().body()).contains("try again").doesNotContain("inside", "5432");
    }
  }

  @Test
  void role_decides() {
    assertThat(admin.withKey("viewer").get("/things/1").status()).isEqualTo(200);
    refused(admin.withKey("worker").get("/things/1"), 403, "FORBIDDEN", "");
    Client.Reply forbidden = admin.withKey("operator").delete("/things/1");
    refused(forbidden, 403, "FORBIDDEN", "");
    assertThat(forbidden.text("/detail")).isEqualTo("the role operator may not do this; admin may");
    assertThat(admin.delete("/things/1").status()).isEqualTo(204);
  }

  @Test
  void tenant_comesFromTheCredential_andOnlyAnAdminNamesAnother() {
    assertThat(admin.withKey("viewer").get("/tenant").text("/tenant")).isEqualTo("acme");
    assertThat(admin.forTenant("other").get("/tenant").text("/tenant")).isEqualTo("other");
    refused(admin.withKey("operator").forTenant("other").get("/tenant"), 403, "FORBIDDEN", "");
  }

  @Test
  void unknownPathAndMethod_areToldApart() {
    refused(admin.get("/nowhere"), 404, "NOT_FOUND", "");
    Client.Reply other = admin.post("/things/1", "{}");
    refused(other, 405, "METHOD_NOT_ALLOWED", "");
    assertThat(other.header("allow")).isEqualTo("DELETE, GET, HEAD, PUT");
    assertThat(admin.send("HEAD", "/things", null).header("allow")).isEqualTo("POST");
    assertThat(admin.get("/nowhere").header("allow")).isEmpty();
    assertThat(admin.get("/things/special").text("/id")).isEqualTo("the special one");
    assertThat(admin.get("/things/other").text("/id")).isEqualTo("other");
  }

  @Test
  void body_isReadStrictly() {
    String good = "{\"name\":\"n\",\"pause\":\"90s\",\"priority\":\"HIGH\"}";
    assertThat(admin.post("/things", good).body().toString())
        .isEqualTo("{\"name\":\"n\",\"pause\":\"90s\",\"priority\":\"high\",\"parts\":null}");
    refused(admin.post("/things", "{\"nam\":1}"), 422, "INVALID_MESSAGE", "nam");
    refused(admin.post("/things", "{\"name\":1}"), 422, "INVALID_MESSAGE", "name");
    refused(admin.post("/things", "{\"pause\":\"9 s\"}"), 422, "INVALID_MESSAGE", "pause");
    refused(admin.post("/things", "{\"priority\":21}"), 422, "INVALID_MESSAGE", "priority");
    refused(
        admin.post("/things", "{\"parts\":[{},{\"x\":1}]}"), 422, "INVALID_MESSAGE", "parts[1].x");
    refused(admin.post("/things", "{\"name\":"), 400, "MALFORMED", "");
    refused(admin.post("/things", "[]"), 400, "MALFORMED", "");
    refused(admin.post("/things", "{\"name\":\"a\",\"name\":\"b\"}"), 400, "MALFORMED", "");
    refused(admin.post("/things", "x".repeat(101)), 413, "TOO_LARGE", "");
  }

  @Test
  void whatIsNoJson_isToldInOurWords() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("{\"name\":", "it ends too early (line 1, column");
    table.put("{\"name\":\"a\",\n\"name\":\"b\"}", "a field is given twice (line 2, column");
    table.put("{\"name\":NaN}", "unexpected text (line 1, column");
    table.put("{\"name\":01}", "unexpected text (line 1, column");
    table.put("{'name':1}", "unexpected text (line 1, column");
    table.put("{\"name\":1,}", "unexpected text (line 1, column");
    table.put("{\"name\":/*1*/1}", "unexpected text (line 1, column");
    table.put("{\"name\":\"\t\"}", "unexpected text (line 1, column");
    table.put("{\"name\":" + "[".repeat(300), "it must not be nested deeper than 200");
    table.put("{\"name\":" + "1".repeat(2000) + "}", "a number, name or text in it is too long");
    table.forEach((body, words) -> {
      Client.Reply reply = admin.put("/things/1", body);
      refused(reply, 400, "MALFORMED", "");
      assertThat(reply.text("/detail"))
          .startsWith("the body is not JSON that can be read: " + words)
          .doesNotContain("Feature", "Constraints", "Source", "`");
    });
  }

  @Test
  void change_leavesWhatIsNotGiven() {
    assertThat(
            admin.put("/things/1", "{\"pause\":\"5m\",\"parts\":null}").body().toString())
        .isEqualTo("{\"name\":\"a\",\"pause\":\"5m\",\"priority\":\"low\",\"parts\":null}");
  }

  @Test
  void connection_isClosed_whenTheCallerAsksForIt() throws IOException {
    for (String path : List.of("/open", "/nowhere")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.setSoTimeout(20_000);
        socket
            .getOutputStream()
            .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(all).startsWith("HTTP/1.1 ").endsWith("}");
      }
    }
  }

  @Test
  void query_isReadStrictly() {
    assertThat(admin.get("/list?a=1&limit=7").raw().body()).isEqualTo("7");
    refused(admin.get("/list?b=1"), 422, "INVALID_MESSAGE", "b");
    assertThat(admin.get("/list?b=1").text("/detail"))
        .isEqualTo("b is not a parameter here; known are a, cursor, limit, metadata.<field>");
    assertThat(admin.get("/plain?b=1").text("/detail"))
        .isEqualTo("b is not a parameter here; this call takes none");
    refused(admin.get("/list?limit=251"), 422, "INVALID_MESSAGE", "limit");
    refused(admin.get("/list?a=1&a=2&limit=x"), 422, "INVALID_MESSAGE", "limit");
  }

  @Test
  void whatBreaksInside_staysInside() {
    Client.Reply reply = admin.get("/broken");
    refused(reply, 500, "INTERNAL", "");
    assertThat(reply.raw().body()).doesNotContain("secret", "Exception");
    assertThat(reply.header("x-content-type-options")).isEqualTo("nosniff");
  }
}
