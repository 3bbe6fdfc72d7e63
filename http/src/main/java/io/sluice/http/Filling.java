package io.sluice.http;

import io.sluice.AttemptFailure;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.Result;
import io.sluice.SluiceException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;

/**
 * Puts what the predecessors of a job left into its body and the values of its headers, wherever these say
 * <code>{{ results.name.path }}</code>. A value that is nothing else keeps the type it has in JSON, or is
 * null; inside a text a string stands as it is, anything else as JSON, and what is not there as nothing.
 * What else stands in braces is data, and where a request goes is never filled in.
 */
final class Filling {
  private static final String OPENING = "{{";
  private static final Pattern BLANK =
      Pattern.compile("\\{\\{\\s*+results\\.([^{}\\s][^{}]{0,511}+)}}");
  private static final JsonFactory JSON = new JsonFactory();

  private final Found found;

  private Filling(List<Result> results) {
    this.found = new Found(results);
  }

  /** True when the call may have something to be filled in. */
  static boolean isWanted(HttpCall call) {
    JsonValue body = call.body();
    return (body != null && body.json().contains(OPENING))
        || call.headers().values().stream().anyMatch(v -> v != null && v.contains(OPENING));
  }

  /**
   * The call with all of it filled in.
   *
   * @throws AttemptFailure when that is too much for a body, or nothing that a header may have
   */
  static HttpCall of(HttpCall call, List<Result> results) throws AttemptFailure {
    Filling filling = new Filling(results);
    HttpCall filled = call.withHeaders(filling.headers(call.headers()));
    JsonValue body = call.body();
    if (body == null) {
      return filled;
    }
    HttpCall whole = filled.withBody(filling.body(body));
    if (whole.bodyBase64() == null && whole.bytes().length > Defaults.MAX_PAYLOAD_BYTES) {
      throw tooLarge();
    }
    return whole;
  }

  private Map<String, String> headers(Map<String, String> headers) throws AttemptFailure {
    Map<String, String> filled = new LinkedHashMap<>();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String value = header.getValue();
      filled.put(
          header.getKey(),
          value == null || !value.contains(OPENING) ? value : header(header.getKey(), value));
    }
    if (HeaderRules.characters(filled) > HeaderRules.MOST_CHARACTERS) {
      throw tooLarge("headers have", "characters together", HeaderRules.MOST_CHARACTERS);
    }
    try {
      HeaderRules.check("headers", filled);
    } catch (SluiceException e) {
      throw unfit(e);
    }
    return filled;
  }

  private String header(String name, String value) throws AttemptFailure {
    String filled = text(value, HeaderRules.MOST_CHARACTERS);
    if (filled == null) {
      throw tooLarge("header '" + name + "' has", "characters", HeaderRules.MOST_CHARACTERS);
    }
    return filled;
  }

  private static AttemptFailure unfit(SluiceException e) {
    String message = String.valueOf(e.getMessage()).replaceFirst("^[A-Z_]+: ", "");
    return new AttemptFailure(
        ErrorClass.VALIDATION,
        "RESULTS_UNFIT",
        "no request is made: with the results of its predecessors the " + message);
  }

  private static AttemptFailure tooLarge() {
    return tooLarge("body has", "bytes", Defaults.MAX_PAYLOAD_BYTES);
  }

  private static AttemptFailure tooLarge(String what, String unit, int most) {
    return new AttemptFailure(
        ErrorClass.VALIDATION,
        "RESULTS_TOO_LARGE",
        "no request is made: with the results of its predecessors the " + what + " more than "
            + most + " " + unit);
  }

  private JsonValue body(JsonValue body) throws AttemptFailure {
    if (!body.json().contains(OPENING)) {
      return body;
    }
    if (body.isText()) {
      String content = body.content();
      JsonNode value = whole(content);
      return value == null ? JsonValue.ofText(inText(content)) : JsonValue.of(json(value));
    }
    StringWriter out = new StringWriter();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body.json());
        JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      while (parser.nextToken() != null) {
        copy(parser, generator);
        if (out.getBuffer().length() > Defaults.MAX_PAYLOAD_BYTES) {
          throw tooLarge();
        }
      }
    }
    return JsonValue.of(out.toString());
  }

  private void copy(JsonParser parser, JsonGenerator generator) throws AttemptFailure {
    String text = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
    if (!text.contains(OPENING)) {
      generator.copyCurrentEventExact(parser);
      return;
    }
    JsonNode value = whole(text);
    if (value == null) {
      generator.writeString(inText(text));
    } else {
      generator.writeRawValue(json(value));
    }
  }

  /** What stands for a text that is nothing but one place to fill in; null for any other. */
  private @Nullable JsonNode whole(String text) {
    Matcher blank = BLANK.matcher(text);
    return blank.matches() ? found.at(blank.group(1).strip()) : null;
  }

  private static String json(JsonNode value) {
    return value.isMissingNode() ? "null" : value.toString();
  }

  private String inText(String text) throws AttemptFailure {
    String filled = text(text, Defaults.MAX_PAYLOAD_BYTES);
    if (filled == null) {
      throw tooLarge();
    }
    return filled;
  }

  /** The text with all of it filled in; null as soon as it has more characters than this. */
  private @Nullable String text(String text, int most) {
    Matcher blank = BLANK.matcher(text);
    StringBuilder filled = new StringBuilder();
    int from = 0;
    while (blank.find()) {
      JsonNode value = found.at(blank.group(1).strip());
      filled.append(text, from, blank.start());
      if (!value.isMissingNode() && !value.isNull()) {
        filled.append(value.isString() ? value.asString() : value.toString());
      }
      from = blank.end();
      if (filled.length() > most) {
        return null;
      }
    }
    filled.append(text, from, text.length());
    return filled.length() > most ? null : filled.toString();
  }
}
