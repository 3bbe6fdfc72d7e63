package io.sluice.http;

import io.sluice.SluiceException;
import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * A JSON value kept as text, so that it is sent with the very numbers it came with. Inside a payload
 * it stands as the value it is, not as a string.
 */
@JsonSerialize(using = JsonValue.Writer.class)
@JsonDeserialize(using = JsonValue.Reader.class)
public final class JsonValue {
  private static final JsonFactory JSON = new JsonFactory();

  private final String json;

  private JsonValue(String json) {
    this.json = json;
  }

  /** The one value that this text is. */
  public static JsonValue of(String json) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != null) {
        parser.skipChildren();
        if (parser.nextToken() == null) {
          return new JsonValue(json.strip());
        }
      }
    } catch (JacksonException e) {
      throw SluiceException.invalid("body", "is not JSON: " + e.getOriginalMessage());
    }
    throw SluiceException.invalid("body", "must be one JSON value");
  }

  /** The value at which a parser stands, as text with every digit as it came; the parser stands at its end then. */
  public static String textOf(JsonParser parser) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      int depth = 0;
      while (true) {
        JsonToken token = parser.currentToken();
        if (token.isNumeric()) {
          generator.writeNumber(parser.getString());
        } else {
          generator.copyCurrentEvent(parser);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 0) {
          break;
        }
        parser.nextToken();
      }
    }
    return out.toString();
  }

  /** A JSON string with this text. */
  public static JsonValue ofText(String text) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      generator.writeString(text);
    }
    return new JsonValue(out.toString());
  }

  public String json() {
    return json;
  }

  /** True for a JSON string, which is sent as its text. */
  boolean isText() {
    return json.startsWith("\"");
  }

  /** What is sent: the text of a string, the JSON of anything else. */
  String content() {
    if (!isText()) {
      return json;
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      return parser.getString();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonValue same && json.equals(same.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return "JSON of " + json.length() + " characters";
  }

  /** Writes the value in its place. */
  static final class Writer extends StdSerializer<JsonValue> {
    Writer() {
      super(JsonValue.class);
    }

    @Override
    public void serialize(JsonValue value, JsonGenerator generator, SerializationContext context) {
      generator.writeRawValue(value.json);
    }
  }

  /** Takes whatever value stands there, numbers to the digit. */
  static final class Reader extends StdDeserializer<JsonValue> {
    Reader() {
      super(JsonValue.class);
    }

    @Override
    public JsonValue deserialize(JsonParser parser, DeserializationContext context) {
      return new JsonValue(textOf(parser));
    }
  }
}
