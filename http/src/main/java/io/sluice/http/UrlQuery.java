package io.sluice.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BinaryOperator;

/** The parameters in the query of a URL or of a path. */
public final class UrlQuery {
  private UrlQuery() {}

  /**
   * The same URL with other values in its query, and nothing else changed.
   *
   * @param change the value to put for a name and a value; the name comes decoded, the value as it is
   *     written and never empty
   */
  public static String change(String url, BinaryOperator<String> change) {
    int start = url.indexOf('?');
    if (start < 0) {
      return url;
    }
    StringBuilder text = new StringBuilder(url.substring(0, start));
    char before = '?';
    for (String part : url.substring(start + 1).split("&", -1)) {
      int equals = part.indexOf('=');
      text.append(before);
      before = '&';
      if (equals < 0 || equals == part.length() - 1) {
        text.append(part);
      } else {
        String name = part.substring(0, equals);
        text.append(name).append('=');
        text.append(change.apply(decoded(name), part.substring(equals + 1)));
      }
    }
    return text.toString();
  }

  /** What a part of a query stands for, or the part itself where that cannot be told. */
  static String decoded(String part) {
    try {
      return URLDecoder.decode(part, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return part;
    }
  }
}
