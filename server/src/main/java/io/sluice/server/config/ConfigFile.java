package io.sluice.server.config;

import io.sluice.cli.Spelling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** A YAML file of settings: {@code key: value}, or a list of values, one under the other. */
final class ConfigFile {
  private final Path file;
  private final List<String> problems;
  private final List<Given> given = new ArrayList<>();
  private final Set<Key> seen = EnumSet.noneOf(Key.class);

  private ConfigFile(Path file, List<String> problems) {
    this.file = file;
    this.problems = problems;
  }

  static List<Given> read(Path file, List<String> problems, List<String> warnings) {
    ConfigFile reader = new ConfigFile(file, problems);
    reader.read();
    reader.warnOfReaders(warnings);
    return reader.given;
  }

  /** A group may read it: the server often is of one that may read its settings and not change them. */
  private void warnOfReaders(List<String> warnings) {
    String secrets = given.stream()
        .filter(Given::isSecret)
        .map(one -> one.key().id())
        .collect(Collectors.joining(", "));
    if (!secrets.isEmpty() && isReadableForAll()) {
      warnings.add("every user of this machine can read " + file + ", which has " + secrets
          + ": close it with chmod o-r, and change what somebody may have read");
    }
  }

  private boolean isReadableForAll() {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // a file that cannot be read is a problem of its own
    }
  }

  private void read() {
    try (JsonParser parser =
        new YAMLFactory().createParser(ObjectReadContext.empty(), Files.readString(file))) {
      JsonToken first = parser.nextToken();
      if (first == null || first == JsonToken.VALUE_NULL) {
        return; // nothing but comments
      }
      if (first != JsonToken.START_OBJECT) {
        problems.add(file + " must hold lines such as 'port: 7070'");
        return;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        setting(parser);
      }
    } catch (NoSuchFileException e) {
      problems.add("config file " + file + " does not exist");
    } catch (IOException e) {
      problems.add("config file " + file + " cannot be read: " + e.getMessage());
    } catch (JacksonException e) {
      // The parser's own message may show what stands in the file, a password included.
      problems.add(place(e.getLocation() == null ? 0 : e.getLocation().getLineNr())
          + " is not YAML that can be read");
    }
  }

  private void setting(JsonParser parser) {
    String name = parser.currentName();
    String place = place(parser.currentTokenLocation().getLineNr());
    List<@Nullable String> values = values(parser);
    Optional<Key> known = Key.of(name);
    if (known.isEmpty() || known.get() == Key.CONFIG) {
      problems.add(place + ": " + name + " is not a setting" + hint(name));
      return;
    }
    Key key = known.get();
    if (!seen.add(key)) {
      problems.add(place + ": " + name + " is given twice");
    } else if (values.isEmpty() || values.contains(null)) {
      problems.add(
          place + ": " + name + " must have a value" + (key.isList() ? " or a list of them" : ""));
    } else if (values.size() > 1 && !key.isList()) {
      problems.add(place + ": " + name + " takes one value, not a list");
    } else {
      given.add(new Given(key, texts(values), Given.Source.FILE, place));
    }
  }

  /** The value, or those of a list; null stands for what is neither. */
  private static List<@Nullable String> values(JsonParser parser) {
    List<@Nullable String> values = new ArrayList<>();
    JsonToken token = parser.nextToken();
    if (token != JsonToken.START_ARRAY) {
      values.add(value(parser, token));
      return values;
    }
    for (token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      values.add(value(parser, token));
    }
    return values;
  }

  private static @Nullable String value(JsonParser parser, JsonToken token) {
    if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      return parser.getString();
    }
    parser.skipChildren();
    return null;
  }

  private static List<String> texts(List<@Nullable String> values) {
    List<String> texts = new ArrayList<>();
    for (String value : values) {
      if (value != null) {
        texts.add(value);
      }
    }
    return texts;
  }

  private static String hint(String name) {
    return Spelling.hint(
        name,
        Arrays.stream(Key.values())
            .filter(key -> key != Key.CONFIG)
            .map(Key::id)
            .toList());
  }

  private String place(int line) {
    return file.getFileName() + (line > 0 ? " line " + line : "");
  }
}
