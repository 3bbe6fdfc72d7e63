package io.sluice.server.rest;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.AfterPolicy;
import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.RateLimit;
import io.sluice.RetryStrategy;
import io.sluice.SluiceException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON as this API reads and writes it: strict in what it takes. What does not parse is MALFORMED;
 * what parses and does not fit is an {@link Invalid} that names the field.
 */
public final class Json {
  static final Charset UTF_8 = StandardCharsets.UTF_8;

  /** The name of the body itself, where no field of it is wrong. */
  private static final String WHOLE = "body";

  private final JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder()
              .maxNestingDepth(Defaults.MAX_JSON_DEPTH)
              .maxStringLength(64 << 20)
              .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build())
      .enable(MapperFeature.DEFAULT_VIEW_INCLUSION)
      .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
      .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
      .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
      .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
      .withCoercionConfig(
          LogicalType.Textual,
          texts -> texts
              .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
              .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
              .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
      .withCoercionConfigDefaults(all -> all.setAcceptBlankAsEmpty(false)
          .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
      // A list or a map of values has none that is null, unless its record says so.
      .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
      .addModule(new SimpleModule()
          .setDeserializerModifier(new Values.EnumReaders())
          .addDeserializer(String.class, new Values.TextReader())
          .addDeserializer(UUID.class, new Values.UuidReader())
          .addDeserializer(Duration.class, new Values.DurationReader())
          .addSerializer(Duration.class, new Values.DurationWriter())
          .addDeserializer(Instant.class, new Values.InstantReader())
          .addDeserializer(RawJson.class, new RawJson.Reader())
          .addSerializer(RawJson.class, new RawJson.Writer())
          .addSerializer(RetryStrategy.class, new Values.WordWriter<>())
          .addSerializer(Ordering.class, new Values.WordWriter<>())
          .addSerializer(RateLimit.Per.class, new Values.WordWriter<>())
          .addDeserializer(AfterPolicy.class, new Values.PolicyReader())
          .addSerializer(AfterPolicy.class, new Values.PolicyWriter())
          .addDeserializer(Priority.class, new Values.PriorityReader())
          .addSerializer(Priority.class, new Values.PriorityWriter()))
      .build();

  public byte[] write(Object value) {
    return value instanceof Summary summary
        ? mapper.writerWithView(Summary.class).writeValueAsBytes(summary.value())
        : mapper.writeValueAsBytes(value);
  }

  public String text(Object value) {
    return mapper.writeValueAsString(value);
  }

  /** The tree of a text that this server wrote itself. */
  public JsonNode tree(String json) {
    return mapper.readTree(json);
  }

  public <T> T read(byte[] json, Class<T> type) {
    Utf8.check(json);
    return bind(() -> {
      checkObject(json);
      return mapper.readValue(json, type);
    });
  }

  /** Goes through all of it once, so that what is no JSON is told before what does not fit. */
  private void checkObject(byte[] json) {
    try (JsonParser parser = mapper.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new SluiceException(ErrorCode.MALFORMED, "the body must be a JSON object");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new SluiceException(ErrorCode.MALFORMED, "the body must be one JSON object only");
      }
    }
  }

  /** The value of a text that this server wrote itself. */
  public <T> T read(String json, Class<T> type) {
    return mapper.readValue(json, type);
  }

  <T> T merge(T current, byte[] changes, Class<T> type, Set<String> inner) {
    Utf8.check(changes);
    return bind(() -> {
      JsonNode given = mapper.readTree(changes);
      if (given == null || !given.isObject()) {
        throw new SluiceException(ErrorCode.MALFORMED, "the body must be a JSON object");
      }
      ObjectNode merged = mapper.valueToTree(current);
      given.propertyStream().forEach(field -> {
        if (inner.contains(field.getKey())
            && merged.get(field.getKey()) instanceof ObjectNode there
            && field.getValue() instanceof ObjectNode changed) {
          there.setAll(changed);
        } else {
          merged.set(field.getKey(), field.getValue());
        }
      });
      return mapper.treeToValue(merged, type);
    });
  }

  private interface Reading<T> {
    T read();
  }

  private static <T> T bind(Reading<T> reading) {
    try {
      return reading.read();
    } catch (InputCoercionException e) {
      throw new Invalid(path(e), "must be " + range(e));
    } catch (StreamReadException | StreamConstraintsException e) {
      throw new SluiceException(
          ErrorCode.MALFORMED, "the body is not JSON that can be read: " + fault(e) + at(e), e);
    } catch (UnrecognizedPropertyException e) {
      List<Object> known = List.copyOf(e.getKnownPropertyIds());
      throw new Invalid(path(e), "is not a field here; known are " + Nearest.listed(known));
    } catch (InvalidTypeIdException e) {
      String place = path(e);
      throw new Invalid(place.equals(WHOLE) ? "type" : place + ".type", kinds(e));
    } catch (MismatchedInputException e) {
      throw new Invalid(path(e), reason(e));
    } catch (JacksonException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SluiceException refused) {
        throw new Invalid(path(e), Problem.reason(refused));
      }
      throw new Invalid(path(e), "is not acceptable");
    }
  }

  /** What is wrong with it, in our words: the parser's speak of its own switches. */
  private static String fault(JacksonException e) {
    if (e instanceof UnexpectedEndOfInputException) {
      return "it ends too early";
    }
    if (e instanceof StreamConstraintsException) {
      return e.getOriginalMessage().contains("nesting depth")
          ? "it must not be nested deeper than " + Defaults.MAX_JSON_DEPTH
          : "a number, name or text in it is too long";
    }
    return e.getOriginalMessage().startsWith("Duplicate")
        ? "a field is given twice"
        : "unexpected text";
  }

  private static String at(JacksonException e) {
    var place = e.getLocation();
    return place == null
        ? ""
        : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
  }

  private static String reason(MismatchedInputException e) {
    if (e.getOriginalMessage().startsWith("must ")) {
      return e.getOriginalMessage();
    }
    Class<?> target = e.getTargetType();
    return target != null && target.isEnum()
        ? "must be one of " + Nearest.listed(List.of(target.getEnumConstants()))
        : "must be " + Values.described(target);
  }

  /** What would be right where a number was beyond what its field holds. */
  private static String range(InputCoercionException e) {
    boolean below = e.getOriginalMessage().startsWith("Numeric value (-");
    return "a whole number of at " + (below ? "least " : "most ")
        + Values.farthest(e.getTargetType(), below);
  }

  /** What a thing that comes in several kinds may have for a type. */
  private static String kinds(InvalidTypeIdException e) {
    JsonSubTypes kinds = e.getBaseType().getRawClass().getAnnotation(JsonSubTypes.class);
    List<String> names = kinds == null
        ? List.of()
        : Arrays.stream(kinds.value()).map(JsonSubTypes.Type::name).toList();
    return "must be one of " + Nearest.listed(names);
  }

  private static String path(JacksonException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return e.getPath().isEmpty() ? WHOLE : path.toString();
  }
}
