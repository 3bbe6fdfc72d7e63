package io.sluice.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A value that stands on the command line, in a file ({@code @FILE}) or on standard input ({@code -}). */
final class Source {
  private Source() {}

  static byte[] bytes(Console console, String option, String given) {
    if (given.equals("-")) {
      return file(console, option, "-");
    }
    return given.startsWith("@")
        ? file(console, option, given.substring(1))
        : given.getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes of a file, or of standard input for {@code -}. */
  private static byte[] file(Console console, String option, String name) {
    try {
      return name.equals("-") ? console.in().readAllBytes() : Files.readAllBytes(Path.of(name));
    } catch (IOException e) {
      throw unreadable(option, name, e);
    }
  }

  static CommandException unreadable(String option, String name, IOException e) {
    String why = e instanceof NoSuchFileException ? "there is no such file" : e.getMessage();
    return new CommandException(Exit.MISUSED, option + ": cannot read " + name + ": " + why);
  }

  /** A secret or another text, without the line break at the end of a file. */
  static String text(Console console, String option, String given) {
    String text = utf8(bytes(console, option, given)).orElseThrow(() -> notText(option));
    return given.startsWith("@") || given.equals("-") ? text.strip() : text;
  }

  private static CommandException notText(String option) {
    return new CommandException(Exit.MISUSED, option + " must be text in UTF-8");
  }

  static JsonNode json(Console console, String option, String given) {
    return parse(option, utf8(bytes(console, option, given)).orElseThrow(() -> notText(option)));
  }

  /** JSON of a file, or of standard input for {@code -}. */
  static JsonNode jsonFile(Console console, String option, String name) {
    return parse(option, utf8(file(console, option, name)).orElseThrow(() -> notText(option)));
  }

  private static JsonNode parse(String option, String text) {
    try {
      JsonNode read = Json.read(text);
      if (read.isMissingNode()) {
        throw new CommandException(Exit.MISUSED, option + " must be JSON, and is empty");
      }
      return read;
    } catch (JacksonException e) {
      throw new CommandException(Exit.MISUSED, option + " " + Json.trouble(e));
    }
  }

  /** Text, where the bytes are one. */
  static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
