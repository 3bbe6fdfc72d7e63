package io.sluice.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes of an answer what is kept of it: short, text that every store can hold, and without what was
 * secret in the request, should the receiver have sent it back.
 */
final class Excerpt {
  private static final int MOST_HEADER_CHARACTERS = 8 << 10;
  /** Anything shorter would be found everywhere. */
  private static final int SHORTEST_SECRET = 4;

  private static final String HIDDEN = "***";
  private static final Pattern CHARSET =
      Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]{1,40})");

  private final List<String> secrets;

  Excerpt(List<String> secrets) {
    this.secrets = secrets.stream()
        .filter(secret -> secret.length() >= SHORTEST_SECRET)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  HttpResult of(Answer answer) {
    return new HttpResult(
        answer.status(),
        headers(answer),
        body(answer).orElse(null),
        answer.took().toMillis());
  }

  Optional<String> body(Answer answer) {
    String encoding = answer.header("content-encoding").orElse("identity");
    return encoding.strip().equalsIgnoreCase("identity") || answer.body().length() == 0
        ? Optional.of(plain(decoded(answer)))
        : Optional.empty();
  }

  private Map<String, String> headers(Answer answer) {
    Map<String, String> kept = new LinkedHashMap<>();
    int characters = 0;
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      characters += header.getKey().length() + header.getValue().length();
      if (!HeaderRules.isCredential(header.getKey()) && characters <= MOST_HEADER_CHARACTERS) {
        kept.put(plain(header.getKey()), plain(header.getValue()));
      }
    }
    return kept;
  }

  /** The bytes as text; a character that was cut off at the end is left out. */
  private static String decoded(Answer answer) {
    CharsetDecoder decoder = charset(answer)
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE);
    ByteBuffer bytes = ByteBuffer.wrap(answer.body().raw());
    int most = (int) Math.ceil(answer.body().length() * (double) decoder.maxCharsPerByte()) + 1;
    CharBuffer text = CharBuffer.allocate(most);
    decoder.decode(bytes, text, answer.whole());
    return text.flip().toString();
  }

  private static Charset charset(Answer answer) {
    Matcher named = CHARSET.matcher(answer.header("content-type").orElse(""));
    try {
      return named.find() && Charset.isSupported(named.group(1))
          ? Charset.forName(named.group(1))
          : StandardCharsets.UTF_8;
    } catch (IllegalCharsetNameException e) {
      return StandardCharsets.UTF_8;
    }
  }

  /** Text that every store can hold, without the secrets. */
  String plain(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    raw.codePoints()
        .map(c ->
            c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '\uFFFD' : c)
        .forEach(text::appendCodePoint);
    String shown = text.toString();
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }
}
