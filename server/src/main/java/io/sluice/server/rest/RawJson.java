package io.sluice.server.rest;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
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
    private final JsonFactory factory = new JsonFactory();

    @Override
    public RawJson deserialize(JsonParser parser, DeserializationContext context) {
      StringWriter text = new StringWriter();
      try (JsonGenerator out = factory.createGenerator(ObjectWriteContext.empty(), text)) {
        out.copyCurrentStructureExact(parser);
      }
      return new RawJson(text.toString());
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
