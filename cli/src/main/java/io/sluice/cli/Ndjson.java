package io.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON objects, one on each line; empty lines are passed over. */
final class Ndjson {
  /** A job and the line that it stands on, which is the first with 1. */
  record Line(long number, ObjectNode job, int length) {}

  /** A line that is no JSON object. */
  static final class WrongLine extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long number;
    private final String why;

    WrongLine(long number, String why) {
      super("line " + number + " " + why);
      this.number = number;
      this.why = why;
    }

    long number() {
      return number;
    }

    String why() {
      return why;
    }
  }

  private final BufferedReader reader;
  private final long skip;
  private long number;

  Ndjson(InputStream in, long skip) {
    this.reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    this.skip = skip;
  }

  /** The next job; null at the end. Throws {@link WrongLine}. */
  @Nullable
  Line next() throws IOException {
    for (String line = line(); line != null; line = line()) {
      if (number > skip && !line.isBlank()) {
        return new Line(number, object(line), line.length() + 1);
      }
    }
    return null;
  }

  private @Nullable String line() throws IOException {
    number++;
    try {
      return reader.readLine();
    } catch (MalformedInputException e) {
      throw new WrongLine(number, "or one soon after it is not text in UTF-8");
    }
  }

  private ObjectNode object(String line) {
    try {
      JsonNode read = Json.read(line);
      if (read instanceof ObjectNode object) {
        return object;
      }
      throw new WrongLine(number, "must be a JSON object, was " + Words.cut(line.strip(), 40));
    } catch (JacksonException e) {
      throw new WrongLine(number, Json.trouble(e));
    }
  }
}
