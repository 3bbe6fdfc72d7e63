package io.sluice.server.job;

import io.sluice.server.rest.Checks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * What a job waits for, as its producer names it: the id of a job or a batch, in a batch also the name of
 * another job there; or an object with an id and the name under which its result is known.
 */
@JsonDeserialize(using = AfterBody.Reader.class)
public record AfterBody(@Nullable String id, @Nullable String name) {
  private record Named(@Nullable String id, @Nullable String name) {}

  /** True when it is known by its id, and not by a name in its batch. */
  public boolean hasId() {
    return id != null && Checks.isUuid(id);
  }

  UUID uuid() {
    return UUID.fromString(String.valueOf(id));
  }

  static final class Reader extends ValueDeserializer<AfterBody> {
    @Override
    public AfterBody deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        return new AfterBody(parser.getString(), null);
      }
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        Named named = context.readValue(parser, Named.class);
        return new AfterBody(named.id, named.name);
      }
      return context.reportInputMismatch(
          AfterBody.class,
          "must be a text, the id of a job or a batch or in a new batch the name of another job of it, or"
              + " an object with an id and a name");
    }
  }
}
