package io.sluice.http;

import io.sluice.SluiceException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What headers a job or a group may set. Those that frame the message, that speak to the next hop
 * only, or that tell the receiver who sends, are the sender's alone.
 */
final class HeaderRules {
  private static final int MOST = 100;
  static final int MOST_CHARACTERS = 32 << 10;
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");

  private static final Set<String> TAKEN = Set.of(
      "connection",
      "content-length",
      "expect",
      "host",
      "http2-settings",
      "keep-alive",
      "te",
      "trailer",
      "transfer-encoding",
      "upgrade");
  private static final Set<String> TAKEN_PREFIXES = Set.of("proxy-", "webhook-", "sluice-");

  private HeaderRules() {}

  /** Refuses headers that may not be set, naming the field and the header. */
  static void check(String field, Map<String, String> headers) {
    if (headers.size() > MOST) {
      throw SluiceException.invalid(field, "must be at most " + MOST + ", were " + headers.size());
    }
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String name = checkName(field, header.getKey());
      if (!seen.add(name)) {
        throw SluiceException.invalid(field, "must name '" + name + "' once only");
      }
      checkValue(field, name, header.getValue());
    }
    if (characters(headers) > MOST_CHARACTERS) {
      throw SluiceException.invalid(
          field, "must be at most " + MOST_CHARACTERS + " characters together");
    }
  }

  /** How many characters these have together, names and values. */
  static int characters(Map<String, String> headers) {
    return headers.entrySet().stream()
        .mapToInt(
            h -> h.getKey().length() + (h.getValue() == null ? 0 : h.getValue().length()))
        .sum();
  }

  /** Refuses headers that would break the message, from whomever they come. */
  static void checkSendable(Map<String, String> headers) {
    headers.forEach((header, value) -> {
      String name = token("headers", header);
      if (TAKEN.contains(name)) {
        throw SluiceException.invalid("headers", "must not set '" + name + "': the client does");
      }
      checkValue("headers", name, value);
    });
  }

  /** The name in lower case, if it is one that may be set. */
  static String checkName(String field, String header) {
    String name = token(field, header);
    if (TAKEN.contains(name) || TAKEN_PREFIXES.stream().anyMatch(name::startsWith)) {
      throw SluiceException.invalid(field, "must not set '" + name + "': the sender does");
    }
    return name;
  }

  private static String token(String field, String header) {
    if (!TOKEN.matcher(header).matches()) {
      throw SluiceException.invalid(
          field, "must have names of letters, digits and - only, was '" + shown(header) + "'");
    }
    return header.toLowerCase(Locale.ROOT);
  }

  static void checkValue(String field, String name, @Nullable String value) {
    if (value == null) {
      throw SluiceException.invalid(field, "must give '" + name + "' a text, was null");
    }
    boolean plain = value
        .chars()
        .allMatch(c -> c == '\t' || (c >= ' ' && c <= '~') || (c >= 0xa0 && c <= 0xff));
    if (!plain) {
      throw SluiceException.invalid(
          field,
          "must give '" + name
              + "' a value without line breaks, control or non-Latin-1 characters");
    }
  }

  static boolean isCredential(String name) {
    return SecretNames.contains(name);
  }

  /** True for headers that describe the content and nothing else: they may go to another origin. */
  static boolean isAboutContent(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("content-")
        || lower.equals("accept")
        || lower.equals("accept-language")
        || lower.equals("accept-encoding");
  }

  private static String shown(String text) {
    String start = text.length() > 60 ? text.substring(0, 60) + "…" : text;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
