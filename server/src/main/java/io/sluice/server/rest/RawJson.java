package io.sluice.server.rest;

import io.sluice.http.JsonValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;

/**
 * A JSON value as text: what a caller gives us to keep, not to understand. Numbers keep every digit, and
 * it costs no more memory than its text.
 */
public record RawJson(String text) {
  /** The value as it stands in another one, where null stands for none. */
  public static @Nullable RawJson of(@Nullable String text) {
    return text == null ? null : new RawJson(text);
  }

  /** How long it is as it would be sent. */
  public int bytes() {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  static final class Reader extends ValueDeserializer<RawJson> {
    @Override
    public RawJson deserialize(JsonParser parser, DeserializationContext context) {
      return new RawJson(JsonValue.textOf(parser));
    }

    @Override
    public RawJson getNullValue(DeserializationContext context) {
      return new RawJson("null");
    }

    /** A value that is not given is not the same as one that is null. */
    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }

  static final class Writer extends ValueSerializer<RawJson> {
    @Override
    public void serialize(RawJson value, JsonGenerator out, SerializationContext context) {
      out.writeRawValue(value.text);
    }
  }
}
