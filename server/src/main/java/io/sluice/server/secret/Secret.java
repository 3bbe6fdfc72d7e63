package io.sluice.server.secret;

import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.server.rest.StorableText;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * A secret that somebody gave. It goes in and never out: in JSON and in print it reads {@code ***}.
 * Whoever gives those stars means the secret that is kept already.
 */
@JsonDeserialize(using = Secret.Reader.class)
public final class Secret {
  /** What stands where a secret is not shown. */
  public static final String HIDDEN = "***";

  private final String text;

  private Secret(String text) {
    this.text = text;
  }

  public static Secret of(String text) {
    return new Secret(text);
  }

  /** The secret itself, for whoever has to use it. */
  public String reveal() {
    return text;
  }

  /** True where the secret is not given, and the one that is kept is meant. */
  public boolean isKept() {
    return text.equals(HIDDEN);
  }

  @JsonValue
  @Override
  public String toString() {
    return HIDDEN;
  }

  /** Takes what other texts take: a creator would be given any text, and what is kept could not be read again. */
  static final class Reader extends ValueDeserializer<Secret> {
    @Override
    public Secret deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return context.reportInputMismatch(Secret.class, "must be a string");
      }
      String text = parser.getString();
      return StorableText.isPlain(text)
          ? of(text)
          : context.reportInputMismatch(Secret.class, StorableText.PLAIN);
    }
  }
}
