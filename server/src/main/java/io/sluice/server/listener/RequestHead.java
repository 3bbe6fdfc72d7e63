package io.sluice.server.listener;

import static io.sluice.server.listener.HttpRefusal.malformed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A request head that is well formed, in the one form that the web server reads, and how its body is framed.
 * What can be read in two ways is refused, so that nobody before or behind this server reads it otherwise.
 */
final class RequestHead {
  static final long CHUNKED = -1;

  private static final String END = "\r\n";
  private static final int LONGEST_METHOD = 20;
  private static final int MOST_HEADERS = 100;
  private static final int LENGTH_DIGITS = 15;
  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

  private final byte[] bytes;
  private final long length;

  private RequestHead(byte[] bytes, long length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** The head with the empty line at its end. */
  byte[] bytes() {
    return bytes;
  }

  /** The length of the body, or {@link #CHUNKED}. */
  long length() {
    return length;
  }

  /** One header line. */
  private record Field(String name, String value) {
    String line() {
      return name + ": " + value + END;
    }
  }

  /** Reads a head from its request line to the empty line, both with it. */
  static RequestHead parse(byte[] head) {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    int first = text.indexOf(END);
    String[] line = requestLine(text.substring(0, first));
    List<Field> fields = fields(text, first + END.length());
    boolean old = line[2].equals("HTTP/1.0");
    RequestTarget target = RequestTarget.parse(line[1]);
    checkHost(fields, old);
    long length = length(fields, old);
    checkExpectation(fields, old);
    checkEncoding(fields, length);
    boolean asItCame = !old && target.authority() == null;
    return new RequestHead(asItCame ? head : rewritten(line[0], target, fields, old), length);
  }

  private static String[] requestLine(String line) {
    int method = line.indexOf(' ');
    int target = line.lastIndexOf(' ');
    if (method <= 0 || target <= method + 1 || line.indexOf(' ', method + 1) != target) {
      throw malformed(
          "the request line must be a method, a path and HTTP/1.1, each after one space");
    }
    String version = line.substring(target + 1);
    if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
      throw version.startsWith("HTTP/")
          ? new HttpRefusal(505, "this server speaks HTTP/1.1 and HTTP/1.0")
          : malformed("the request line must end with HTTP/1.1");
    }
    checkMethod(line.substring(0, method));
    return new String[] {line.substring(0, method), line.substring(method + 1, target), version};
  }

  private static void checkMethod(String method) {
    boolean capitals = method.length() <= LONGEST_METHOD
        && method.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || c == '-');
    if (!capitals) {
      throw malformed("the method must be in capital letters, as in GET");
    }
  }

  private static List<Field> fields(String text, int from) {
    List<Field> fields = new ArrayList<>();
    int start = from;
    for (int end = text.indexOf(END, start); end > start; end = text.indexOf(END, start)) {
      int colon = text.indexOf(':', start);
      if (colon <= start || colon > end || !isToken(text, start, colon)) {
        throw malformed("every header must be a name, a colon and a value, on one line");
      }
      fields.add(new Field(text.substring(start, colon), value(text, colon + 1, end)));
      start = end + END.length();
      if (fields.size() > MOST_HEADERS) {
        throw new HttpRefusal(431, "there must be at most " + MOST_HEADERS + " headers");
      }
    }
    return fields;
  }

  private static boolean isToken(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean good = (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || TOKEN_SIGNS.indexOf(c) >= 0;
      if (!good) {
        return false;
      }
    }
    return true;
  }

  private static String value(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127) {
        throw malformed("a header must have no control characters");
      }
    }
    return text.substring(from, to).strip();
  }

  private static List<String> values(List<Field> fields, String name) {
    return fields.stream()
        .filter(field -> field.name.equalsIgnoreCase(name))
        .map(Field::value)
        .toList();
  }

  private static void checkHost(List<Field> fields, boolean old) {
    int hosts = values(fields, "host").size();
    if (hosts > 1 || (hosts == 0 && !old)) {
      throw malformed("there must be one header Host");
    }
  }

  private static long length(List<Field> fields, boolean old) {
    List<String> lengths = values(fields, "content-length");
    List<String> codings = values(fields, "transfer-encoding");
    if (!codings.isEmpty()) {
      if (!lengths.isEmpty() || codings.size() > 1 || old) {
        throw malformed(
            "a body must have one Content-Length or, in HTTP/1.1, one Transfer-Encoding, not both");
      }
      if (!codings.getFirst().equalsIgnoreCase("chunked")) {
        throw new HttpRefusal(501, "the Transfer-Encoding must be chunked");
      }
      return CHUNKED;
    }
    if (lengths.isEmpty()) {
      return 0;
    }
    String length = lengths.getFirst();
    boolean number = !length.isEmpty() && length.chars().allMatch(c -> c >= '0' && c <= '9');
    if (lengths.size() > 1 || !number) {
      throw malformed("there must be one Content-Length, which is a number");
    }
    if (length.length() > LENGTH_DIGITS) {
      throw new HttpRefusal(413, "the body is larger than anything that is taken here");
    }
    return Long.parseLong(length);
  }

  private static void checkExpectation(List<Field> fields, boolean old) {
    boolean known =
        values(fields, "expect").stream().allMatch(value -> value.equalsIgnoreCase("100-continue"));
    if (!old && !known) {
      throw new HttpRefusal(417, "the only expectation that is met is 100-continue");
    }
  }

  private static void checkEncoding(List<Field> fields, long length) {
    boolean encoded = values(fields, "content-encoding").stream()
        .anyMatch(value -> !value.equalsIgnoreCase("identity"));
    if (encoded && length != 0) {
      throw new HttpRefusal(415, "the body must come as it is, without a Content-Encoding");
    }
  }

  /** The head of an older version, or with a whole URL for its target, as one of HTTP/1.1 with a path. */
  private static byte[] rewritten(
      String method, RequestTarget target, List<Field> fields, boolean old) {
    StringBuilder head = new StringBuilder(method)
        .append(' ')
        .append(target.path())
        .append(" HTTP/1.1")
        .append(END);
    String authority = target.authority();
    boolean hostGiven = authority == null && !values(fields, "host").isEmpty();
    fields.stream()
        .filter(field -> !isReplaced(field.name.toLowerCase(Locale.ROOT), old, hostGiven))
        .forEach(field -> head.append(field.line()));
    if (!hostGiven) {
      head.append(new Field("Host", authority == null ? "localhost" : authority).line());
    }
    if (old) {
      // What HTTP/1.0 calls keep-alive is no longer in use.
      head.append(new Field("Connection", "close").line());
    }
    return head.append(END).toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean isReplaced(String name, boolean old, boolean hostGiven) {
    return switch (name) {
      case "host" -> !hostGiven;
      case "connection", "keep-alive", "expect" -> old;
      default -> false;
    };
  }
}
