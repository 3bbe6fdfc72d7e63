package io.sluice.server.listener;

import static io.sluice.server.listener.HttpRefusal.malformed;

import org.jspecify.annotations.Nullable;

/**
 * What a request is for: its path with its query, and the host where the client named it by a whole URL. A
 * path has one spelling only, so that the rules of a proxy for a path hold.
 */
record RequestTarget(String path, @Nullable String authority) {

  static RequestTarget parse(String target) {
    RequestTarget parsed = target.startsWith("/") ? new RequestTarget(target, null) : whole(target);
    checkCharacters(parsed.path);
    return parsed;
  }

  /** As a client sends it to a proxy: RFC 9112 wants it understood by every server. */
  private static RequestTarget whole(String target) {
    int scheme = target.indexOf("://");
    boolean http = scheme > 0
        && (target.regionMatches(true, 0, "http", 0, scheme)
            || target.regionMatches(true, 0, "https", 0, scheme));
    if (!http) {
      throw malformed("the request must be for a path that begins with /");
    }
    int from = scheme + "://".length();
    int path = from;
    while (path < target.length() && "/?".indexOf(target.charAt(path)) < 0) {
      path++;
    }
    String authority = target.substring(from, path);
    if (authority.isEmpty() || authority.indexOf('@') >= 0) {
      throw malformed("the URL of a request must name a host, and no user");
    }
    String rest = target.substring(path);
    return new RequestTarget(rest.startsWith("/") ? rest : "/" + rest, authority);
  }

  private static void checkCharacters(String target) {
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c > '~' || c == '#') {
        throw malformed(
            "the path and the query must be of ASCII characters, others escaped as %C3%A9");
      }
      if (c == ';' && i < end) {
        throw malformed(
            "the path must have no parameters: write ; as %3B where it is part of a name");
      }
      if (c == '%') {
        checkEscape(target, i, i < end);
      }
    }
  }

  private static void checkEscape(String target, int at, boolean inPath) {
    int high = at + 1 < target.length() ? Character.digit(target.charAt(at + 1), 16) : -1;
    int low = at + 2 < target.length() ? Character.digit(target.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw malformed("every % must be followed by two hexadecimal digits; write it as %25");
    }
    if (inPath && needsNoEscape(high * 16 + low)) {
      throw malformed("the path must not escape what needs no escape: write "
          + target.substring(at, at + 3) + " as " + (char) (high * 16 + low));
    }
  }

  /** Letters, digits and what else names are made of; not ~, which some libraries escape. */
  private static boolean needsNoEscape(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_';
  }
}
