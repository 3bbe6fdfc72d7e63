package io.sluice.server.limit;

import io.sluice.Defaults;
import io.sluice.Names;
import io.sluice.Scope;
import io.sluice.Scope.Kind;
import io.sluice.SluiceException;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a path names a limit: {@code global}, {@code tenant}, or a kind and a name with a colon between. A
 * name alone has no kind yet.
 */
record LimitKey(@Nullable Kind kind, String name) {
  private static final String RIGHT =
      "must be global, tenant, queue:<name>, url-group:<name>, type:<type>, key:<limitKey> or"
          + " key:<prefix>*";

  static LimitKey parse(String text) {
    for (Kind kind : Kind.values()) {
      String word = kind.word();
      if (!kind.isNamed() && text.equals(word)) {
        return new LimitKey(kind, "");
      }
      if (kind.isNamed() && text.startsWith(word + ":")) {
        return new LimitKey(kind, text.substring(word.length() + 1));
      }
    }
    if (text.contains(":")) {
      throw new Invalid("key", RIGHT + "; a limit key with a colon in it is written key:" + text);
    }
    return new LimitKey(null, text);
  }

  /** The scope that this key and the scope that a body names beside it mean together. */
  Scope scope(String tenant, @Nullable String word) {
    Optional<Kind> named = Optional.ofNullable(word).map(LimitKey::kind);
    if (kind == null) {
      Kind wanted = named.orElse(Kind.KEY);
      if (!wanted.isNamed()) {
        throw new Invalid(
            "scope",
            "must not be " + wanted.word() + " here: that limit is /v1/limits/" + wanted.word());
      }
      return new LimitKey(wanted, name).scope(tenant);
    }
    if (named.isPresent() && named.get() != kind) {
      throw new Invalid("scope", "must be " + kind.word() + ", as the key says, or be left out");
    }
    return scope(tenant);
  }

  /** The scope of a key that has a kind. */
  Scope scope(String tenant) {
    Kind known = kind == null ? Kind.KEY : kind;
    check(known);
    return new Scope(known, known == Kind.GLOBAL ? "" : tenant, name);
  }

  private void check(Kind known) {
    Checks checks = new Checks();
    switch (known) {
      case TYPE -> checks.take("key", () -> Names.checkType(name));
      case KEY -> checks.take("key", this::plain);
      // Whoever has queues and groups says whether there is one of this name.
      case GLOBAL, TENANT, QUEUE, URL_GROUP -> {}
    }
    checks.done();
  }

  private String plain() {
    boolean fits = !name.isEmpty()
        && name.length() <= Defaults.MAX_TEXT
        && name.codePoints().noneMatch(c -> c == 0 || (c >= 0xd800 && c <= 0xdfff));
    if (!fits) {
      throw SluiceException.invalid(
          "key", "must name a limit key of 1 to " + Defaults.MAX_TEXT + " characters");
    }
    return name;
  }

  /** The kind that a word means, however its parts are joined. */
  private static Kind kind(String word) {
    String letters = word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    return Arrays.stream(Kind.values())
        .filter(kind -> letters.equals(kind.word().replace("-", "")))
        .findFirst()
        .or(() -> Optional.of(Kind.KEY).filter(any -> letters.equals("limitkey")))
        .orElseThrow(() ->
            new Invalid("scope", "must be one of global, tenant, queue, url-group, type, key"));
  }
}
