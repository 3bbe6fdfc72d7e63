package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.SluiceException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Says whether JSON text is such that every store can keep it and give it back unchanged. */
final class JsonText {
  private static final JsonFactory JSON = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(Defaults.MAX_JSON_DEPTH)
          .maxStringLength(Defaults.MAX_ENVELOPE_BYTES)
          .build())
      .build();

  private JsonText() {}

  static String check(String field, String json) {
    checkPlain(field, json);
    // Without an escape the strings in it are parts of the text that was just looked at.
    boolean escapes = json.indexOf('\\') >= 0;
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      int values = 0;
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (escapes && (token == JsonToken.VALUE_STRING || token == JsonToken.PROPERTY_NAME)) {
          checkPlain(field, parser.getString());
        }
        if (token.isStructEnd()) {
          depth--;
        } else if (depth == 0 && ++values > 1) {
          throw SluiceException.invalid(field, "must be one JSON value");
        }
        if (token.isStructStart()) {
          depth++;
        }
      }
      if (values == 0) {
        throw SluiceException.invalid(field, "must be JSON, was empty");
      }
      return json;
    } catch (JacksonException e) {
      throw SluiceException.invalid(field, "is not acceptable JSON: " + e.getOriginalMessage());
    }
  }

  /** Refuses NUL and half of a surrogate pair, escaped or not: PostgreSQL keeps neither. */
  static void checkPlain(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw SluiceException.invalid(field, "must not contain the character U+0000");
      }
      if (Character.isSurrogate(c)) {
        boolean pair = Character.isHighSurrogate(c)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw SluiceException.invalid(field, "must not contain half of a surrogate pair");
        }
        i++;
      }
    }
  }
}
