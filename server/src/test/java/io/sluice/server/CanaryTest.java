package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.server.Receiver.Got;
import io.sluice.server.Receiver.Reply;
import io.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/**
 * Secrets go in by every door, jobs that carry them succeed and fail, receivers echo them: none of them
 * is found again in the database, in the log, or in what the API answers.
 */
@Tag("slow")
@Isolated("it reads the log of the whole process, and has everything logged")
class CanaryTest {
  private final Map<String, String> canaries = new LinkedHashMap<>();
  private final List<String> answers = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger root =
      ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
  private final Level level = root.getLevel();
  private Rig rig;
  private Receiver receiver;
  private Client admin;

  @BeforeEach
  void start() {
    log.setContext(root.getLoggerContext());
    log.start();
    root.addAppender(log);
    root.setLevel(Level.DEBUG);
    rig = new Rig();
    receiver = rig.receiver;
    admin = rig.admin;
    receiver.answer("/ok", got -> echo(got, 200));
    receiver.answer("/fails", got -> echo(got, 500));
    receiver.answer("/refuses", got -> echo(got, 401));
    canaries.put("admin key", TestServer.ADMIN_KEY);
    canaries.put("master key", TestServer.MASTER_KEY);
    canaries.put("database password", TestServer.databasePassword());
  }

  @AfterEach
  void stop() {
    rig.close();
    root.detachAppender(log);
    root.setLevel(level);
  }

  /** The worst of receivers: sends back all that it got. */
  private static Reply echo(Got got, int status) {
    return new Reply(
        status,
        Map.of("Set-Cookie", "sid=" + got.uri(), "X-Echo", got.headers().map().toString()),
        got.uri() + " " + got.headers().map() + " " + got.body());
  }

  private String canary(String what) {
    String secret = "canary%02dQ7zv1Xb9Kd3Lm5".formatted(canaries.size());
    canaries.put(what, secret);
    return secret;
  }

  private Client.Reply ask(Client client, String method, String path, String body) {
    Client.Reply reply = client.send(method, path, body);
    answers.add(reply.raw().body());
    return reply;
  }

  private void group(String name, String more) {
    Client.Reply reply = ask(
        admin,
        "POST",
        "/v1/url-groups",
        "{\"name\":\"%s\",\"baseUrl\":\"%s\"%s}".formatted(name, receiver.url(), more));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    for (String way : new String[] {"ok", "fails", "refuses"}) {
      for (String part : new String[] {"", "/auth/test", "/health", "/metrics"}) {
        ask(admin, "GET", "/v1/url-groups/" + name + part, null);
      }
      deliver(name, "/" + way + "?api_key=" + canary("path query of " + name + way));
    }
  }

  private void deliver(String json) {
    String id = rig.enqueue("{%s,\"retry\":{\"maxAttempts\":1}}".formatted(json));
    Eventually.await("it ended", () -> List.of("COMPLETED", "DEAD").contains(rig.state(id)));
    ask(admin, "GET", "/v1/jobs/" + id, null);
    ask(admin, "GET", "/v1/jobs/" + id + "/explain", null);
  }

  private void deliver(String group, String path) {
    deliver("\"urlGroup\":\"%s\",\"path\":\"%s\"".formatted(group, path));
  }

  @Test
  void secrets_areNowhere() {
    groups();
    jobs();
    refusals();
    ask(admin, "GET", "/v1/url-groups", null);
    assertThat(canaries).hasSizeGreaterThan(20);
    // Receivers did get them: the search below looks for something that was there.
    assertThat(receiver.got("/ok").toString()).contains(canaries.get("job authorization"));
    assertThat(logged())
        .containsPattern("of type http in queue default of tenant \\S+ is DEAD after attempt");
    search("the database", rig.server.dump());
    search("the log", logged());
    answers.forEach(answer -> search("an answer of the API", answer));
  }

  private void groups() {
    group(
        "g-bearer", ",\"auth\":{\"type\":\"bearer\",\"token\":\"%s\"}".formatted(canary("token")));
    group(
        "g-basic",
        ",\"auth\":{\"type\":\"basic\",\"username\":\"u\",\"password\":\"%s\"}"
            .formatted(canary("password")));
    group(
        "g-header",
        ",\"auth\":{\"type\":\"header\",\"name\":\"x-custom\",\"value\":\"%s\"}"
            .formatted(canary("header auth")));
    group(
        "g-hmac",
        ",\"auth\":{\"type\":\"hmac\",\"header\":\"x-sum\",\"secret\":\"%s\"}"
            .formatted(canary("hmac secret")));
    String whsec = Base64.getEncoder()
        .encodeToString((canary("webhook key") + "0123456789").getBytes(StandardCharsets.UTF_8));
    canaries.put("webhook secret", whsec);
    group("g-signed", ",\"signing\":{\"secrets\":[\"whsec_%s\"]}".formatted(whsec));
    group(
        "g-wstash",
        ",\"signing\":{\"scheme\":\"wstash\",\"secrets\":[\"%s\"]}".formatted(canary("wstash")));
    group(
        "g-defaults",
        ",\"defaultHeaders\":{\"x-api-key\":\"%s\",\"Cookie\":\"sid=%s\",\"X-Shop-Token\":\"%s\"}"
            .formatted(canary("x-api-key"), canary("cookie"), canary("x-shop-token")));
    String accessToken = canary("access token");
    receiver.answer(
        "/token",
        got -> new Reply(
            200, Map.of(), "{\"access_token\":\"%s\",\"expires_in\":60}".formatted(accessToken)));
    group("g-oauth2", oauth2("/token", canary("client secret")));
    // An endpoint that says back what it was sent.
    receiver.answer(
        "/no-token",
        got -> new Reply(
            401,
            Map.of(),
            "{\"error\":\"invalid_client\",\"error_description\":\"%s %s\"}"
                .formatted(got.header("authorization"), got.body())));
    group("g-oauth2-refused", oauth2("/no-token", canary("refused client secret")));
    assertThat(receiver.got("/ok").toString()).contains(accessToken);
    // The one answer that may show a secret, once.
    String made = admin.post("/v1/url-groups/g-signed/secrets/rotate", null).text("/secret");
    canaries.put("rotated secret", made);
    deliver("g-signed", "/ok");
    ask(
        admin,
        "PUT",
        "/v1/url-groups/g-bearer",
        "{\"auth\":{\"type\":\"bearer\",\"token\":\"%s\"}}".formatted(canary("changed token")));
  }

  private String oauth2(String path, String secret) {
    return ",\"auth\":{\"type\":\"oauth2\",\"tokenUrl\":\"%s\",\"clientId\":\"c\",\"clientSecret\":\"%s\"}"
        .formatted(receiver.url() + path, secret);
  }

  private void jobs() {
    for (String way : new String[] {"/ok", "/fails", "/refuses"}) {
      String of = way.equals("/ok") ? "" : " of " + way;
      String url = receiver.url();
      deliver("""
          "url":"%s?page=2&token=%s","headers":{"Authorization":"Bearer %s","cookie":"a=%s",
          "X-Session-Id":"%s"},"callbackUrl":"%s?sig=%s","failureCallbackUrl":"%s?client_secret=%s"
          """.formatted(
              url + way,
              canary("url token" + of),
              canary("job authorization" + of),
              canary("job cookie" + of),
              canary("job session" + of),
              url + "/ok",
              canary("callback" + of),
              url + "/ok",
              canary("failure callback" + of)));
    }
    ask(admin, "GET", "/v1/jobs?limit=250&full=true", null);
    ask(admin, "GET", "/v1/dlq?limit=250&full=true", null);
  }

  private void refusals() {
    ask(admin.withKey(canary("wrong key") + "-not-a-key"), "GET", "/v1/url-groups", null);
    ask(admin, "POST", "/v1/url-groups?key=" + canary("query of the API"), "{}");
    String clientSecret = canary("client secret of an auth that is not whole");
    ask(
        admin,
        "POST",
        "/v1/url-groups/g-basic/auth",
        "{\"type\":\"oauth2\",\"tokenUrl\":\"https://a.example\",\"clientSecret\":\"%s\"}"
            .formatted(clientSecret));
    ask(
        admin,
        "POST",
        "/v1/url-groups",
        "{\"name\":\"bad\",\"baseUrl\":\"https://u:%s@a.example\"}".formatted(canary("userinfo")));
    ask(
        admin,
        "POST",
        "/v1/url-groups/g-basic/auth",
        "{\"type\":\"bearer\",\"token\":{\"x\":\"%s\"}}"
            .formatted(canary("token of a wrong kind")));
    ask(
        admin,
        "POST",
        "/v1/url-groups/g-basic/auth",
        "{\"type\":\"header\",\"name\":\"x\",\"value\":\"%s\\n\"}".formatted(canary("bad value")));
    ask(
        admin,
        "PUT",
        "/v1/url-groups/g-signed",
        "{\"signing\":{\"secrets\":[\"%s\"]}}".formatted(canary("bad signing secret")));
    // What a caller wrote itself may come back to it in the words of a refusal, and goes nowhere
    // else.
    admin.post("/v1/url-groups", "{\"auth\": " + canary("malformed body"));
    admin.forTenant(canary("tenant")).get("/v1/url-groups/none");
  }

  /** All that was logged, with what was thrown, as the most talkative log would show it. */
  private String logged() {
    StringBuilder text = new StringBuilder();
    for (ILoggingEvent event : List.copyOf(log.list)) {
      text.append(event.getLoggerName()).append(' ').append(event.getFormattedMessage());
      text.append('\n').append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return text.toString();
  }

  private void search(String where, String text) {
    canaries.forEach((what, secret) -> {
      byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
      String core =
          Base64.getEncoder().encodeToString(("u:" + secret).getBytes(StandardCharsets.UTF_8));
      assertThat(text.contains(secret)
              || text.contains(Base64.getEncoder().encodeToString(bytes))
              || text.contains(core))
          .as("%s holds the %s: %s", where, what, excerpt(text, secret))
          .isFalse();
    });
  }

  private static String excerpt(String text, String secret) {
    int at = text.indexOf(secret);
    return at < 0
        ? "encoded"
        : text.substring(Math.max(0, at - 300), Math.min(text.length(), at + 100));
  }
}
