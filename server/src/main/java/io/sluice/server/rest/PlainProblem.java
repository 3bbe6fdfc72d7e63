package io.sluice.server.rest;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.sluice.ErrorCode;
import io.sluice.server.listener.HttpRefusal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The answer to a request that no route sees, because of its form: problem+json like every other. */
final class PlainProblem {
  /** What every answer has. */
  static final Map<String, String> ALWAYS = Map.of(
      "X-Content-Type-Options", "nosniff",
      "X-Frame-Options", "DENY",
      "Referrer-Policy", "no-referrer",
      "Cache-Control", "no-store",
      "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

  private static final Json JSON = new Json();

  private PlainProblem() {}

  /** The whole answer as it goes over the wire. */
  static byte[] bytes(HttpRefusal refusal) {
    Answer answer = Problem.ofForm(refusal.status(), refusal.detail());
    byte[] body = JSON.write(Objects.requireNonNull(answer.body()));
    StringBuilder head = new StringBuilder("HTTP/1.1 ")
        .append(status(refusal.status()).text())
        .append("\r\nConnection: close\r\nContent-Length: ")
        .append(body.length);
    answer.headers().forEach((name, value) -> header(head, name, value));
    ALWAYS.forEach((name, value) -> header(head, name, value));
    byte[] bytes = head.append("\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[bytes.length + body.length];
    System.arraycopy(bytes, 0, whole, 0, bytes.length);
    System.arraycopy(body, 0, whole, bytes.length, body.length);
    return whole;
  }

  /** The status with its words, of which the web server does not know all. */
  private static Status status(int code) {
    return code == 431
        ? Status.create(431, "Request Header Fields Too Large")
        : Status.create(code);
  }

  private static void header(StringBuilder head, String name, String value) {
    head.append("\r\n").append(name).append(": ").append(value);
  }

  /** What the web server itself refuses, in the same form. */
  static DirectHandlers directHandlers() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
      handlers.addHandler(event, (request, type, status, headers, message) -> answer(status));
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse answer(Status status) {
    Answer answer = status.code() >= 500 && status.code() != 505 && status.code() != 501
        ? Problem.of(ErrorCode.INTERNAL, "something went wrong here; it is in the log", null)
        : Problem.ofForm(
            status.code(), "the request is not well formed: see RFC 9110 and RFC 3986");
    DirectHandler.TransportResponse.Builder response = DirectHandler.TransportResponse.builder()
        .status(status(answer.status()))
        .keepAlive(false)
        .entity(JSON.write(Objects.requireNonNull(answer.body())));
    answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    ALWAYS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
    return response.build();
  }
}
