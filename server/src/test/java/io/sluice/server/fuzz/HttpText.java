package io.sluice.server.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** A request as it is sent, whether it is well formed or not. */
record HttpText(String method, String target, List<HttpHeader> headers, String body) {
  private static final int SHOWN = 2_000;

  /** One line of the head. */
  record HttpHeader(String name, String value) {}

  boolean isHead() {
    return method.equals("HEAD");
  }

  boolean closes() {
    return headers.stream()
        .anyMatch(
            one -> one.name().equalsIgnoreCase("connection") && one.value().equals("close"));
  }

  /** The bytes on the wire: the head in ISO-8859-1, the body in UTF-8. */
  byte[] bytes() {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: fuzz\r\n");
    for (HttpHeader one : headers) {
      head.append(one.name()).append(": ").append(one.value()).append("\r\n");
    }
    if (content.length > 0 || method.equals("POST") || method.equals("PUT")) {
      head.append("Content-Length: ").append(content.length).append("\r\n");
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[start.length + content.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(content, 0, all, start.length, content.length);
    return all;
  }

  /** The request as a shell can repeat it; {@code $S} is the address of the server. */
  String asCurl() {
    String options = headers.stream()
        .map(one -> " -H " + quoted(one.name() + ": " + one.value()))
        .collect(Collectors.joining());
    String data = body.isEmpty() ? "" : " --data-binary " + quoted(cut(body));
    return "curl -sS --path-as-is -X " + method + options + data + " \"$S\"" + quoted(cut(target));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String cut(String text) {
    return text.length() <= SHOWN
        ? text
        : text.substring(0, SHOWN) + "…(" + text.length() + " characters)";
  }
}
