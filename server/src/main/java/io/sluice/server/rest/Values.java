package io.sluice.server.rest;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.sluice.AfterPolicy;
import io.sluice.Priority;
import io.sluice.SluiceException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.jdk.EnumDeserializer;

/** How single values stand in JSON. */
final class Values {
  private static final Map<String, Priority> PRIORITIES = Map.of(
      "critical", Priority.CRITICAL,
      "high", Priority.HIGH,
      "normal", Priority.NORMAL,
      "low", Priority.LOW);

  private Values() {}

  /** Takes a text that can be kept. */
  static final class TextReader extends ValueDeserializer<String> {
    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return context.reportInputMismatch(String.class, "must be a string");
      }
      String text = parser.getString();
      return StorableText.isPlain(text)
          ? text
          : context.reportInputMismatch(String.class, StorableText.PLAIN);
    }
  }

  /** Takes an id and nothing around it. */
  static final class UuidReader extends ValueDeserializer<UUID> {
    @Override
    public UUID deserialize(JsonParser parser, DeserializationContext context) {
      return parser.currentToken() == JsonToken.VALUE_STRING && Checks.isUuid(parser.getString())
          ? UUID.fromString(parser.getString())
          : context.reportInputMismatch(UUID.class, "must be " + described(UUID.class));
    }
  }

  /** Reads the words of an enum in large or small letters, and with nothing around them. */
  static final class EnumReaders extends ValueDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueDeserializer<?> modifyEnumDeserializer(
        DeserializationConfig config,
        JavaType type,
        BeanDescription.Supplier description,
        ValueDeserializer<?> usual) {
      // Another one is made for its enum, and knows better.
      return usual instanceof EnumDeserializer ? new EnumReader(type.getRawClass()) : usual;
    }
  }

  /** Takes one of the words of an enum. */
  private static final class EnumReader extends ValueDeserializer<Object> {
    private final Class<?> type;

    EnumReader(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
      String word = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
      List<Object> words = List.of(type.getEnumConstants());
      return words.stream()
          .filter(known -> known instanceof Enum<?> value && value.name().equalsIgnoreCase(word))
          .findFirst()
          .orElseGet(
              () -> context.reportInputMismatch(type, "must be one of " + Nearest.listed(words)));
    }
  }

  static final class DurationReader extends ValueDeserializer<Duration> {
    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context) {
      String wrong = "must be a duration such as \"250ms\", \"30s\", \"5m\" or \"24h\"";
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return context.reportInputMismatch(Duration.class, wrong);
      }
      try {
        return Durations.parse(parser.getString());
      } catch (IllegalArgumentException e) {
        return context.reportInputMismatch(Duration.class, wrong);
      }
    }
  }

  static final class DurationWriter extends ValueSerializer<Duration> {
    @Override
    public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
      out.writeString(Durations.format(value));
    }
  }

  static final class InstantReader extends ValueDeserializer<Instant> {
    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        try {
          return TimeTexts.time(parser.getString());
        } catch (DateTimeException e) {
          return wrong(context);
        }
      }
      return wrong(context);
    }

    private static Instant wrong(DeserializationContext context) {
      return context.reportInputMismatch(Instant.class, "must be " + described(Instant.class));
    }
  }

  /** Writes a word of ours as people write it, in small letters. */
  static final class WordWriter<E extends Enum<E>> extends ValueSerializer<E> {
    @Override
    public void serialize(E value, JsonGenerator out, SerializationContext context) {
      out.writeString(value.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Takes a policy as people write it, {@code ifFailed} among them. */
  static final class PolicyReader extends ValueDeserializer<AfterPolicy> {
    @Override
    public AfterPolicy deserialize(JsonParser parser, DeserializationContext context) {
      String word = parser.currentToken() == JsonToken.VALUE_STRING
          ? parser.getString().replace("_", "")
          : "";
      return Arrays.stream(AfterPolicy.values())
          .filter(policy -> word.equalsIgnoreCase(policy.name().replace("_", "")))
          .findFirst()
          .orElseGet(() -> context.reportInputMismatch(
              AfterPolicy.class, "must be one of cancel, hold, ifFailed, run"));
    }
  }

  static final class PolicyWriter extends ValueSerializer<AfterPolicy> {
    @Override
    public void serialize(AfterPolicy value, JsonGenerator out, SerializationContext context) {
      out.writeString(
          value == AfterPolicy.IF_FAILED ? "ifFailed" : value.name().toLowerCase(Locale.ROOT));
    }
  }

  static final class PriorityReader extends ValueDeserializer<Priority> {
    @Override
    public Priority deserialize(JsonParser parser, DeserializationContext context) {
      Priority priority = switch (parser.currentToken()) {
        case VALUE_STRING -> PRIORITIES.get(parser.getString().toLowerCase(Locale.ROOT));
        case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.INT
              ? ofLevel(parser.getIntValue())
              : null;
        default -> null;
      };
      return priority != null
          ? priority
          : context.reportInputMismatch(
              Priority.class, "must be critical, high, normal, low or a number from 0 to 20");
    }

    private static @Nullable Priority ofLevel(int level) {
      try {
        return new Priority(level);
      } catch (SluiceException e) {
        return null;
      }
    }
  }

  static final class PriorityWriter extends ValueSerializer<Priority> {
    @Override
    public void serialize(Priority value, JsonGenerator out, SerializationContext context) {
      String name = name(value);
      if (name != null) {
        out.writeString(name);
      } else {
        out.writeNumber(value.value());
      }
    }

    private static @Nullable String name(Priority value) {
      return PRIORITIES.entrySet().stream()
          .filter(entry -> entry.getValue().equals(value))
          .map(Map.Entry::getKey)
          .findFirst()
          .orElse(null);
    }
  }

  /** The least or the largest whole number that this type holds. */
  static long farthest(Class<?> type, boolean below) {
    boolean small = type == Integer.class || type == int.class;
    return below
        ? small ? Integer.MIN_VALUE : Long.MIN_VALUE
        : small ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  /** What would be right where a value of this type was wanted. */
  static String described(@Nullable Class<?> type) {
    if (type == null) {
      return "of another kind";
    }
    if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
      return "a whole number";
    }
    if (type == Double.class || type == double.class) {
      return "a number";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type == Instant.class) {
      return "a time such as \"2026-01-31T12:00:00Z\", in the years 1 to 9999";
    }
    if (type == UUID.class) {
      return "an id such as \"0192f0c1-2b7e-7000-8000-000000000000\"";
    }
    if (type == String.class || isMadeOfText(type)) {
      return "a string";
    }
    return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
  }

  /** True for a word of ours that stands in JSON as its text, such as a secret. */
  private static boolean isMadeOfText(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(method -> method.isAnnotationPresent(JsonCreator.class)
            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class}));
  }
}
