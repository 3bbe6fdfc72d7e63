package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One thing in full: a name and a value on each line. */
final class Sheet {
  private record Line(String name, String value) {}

  private final List<Line> lines = new ArrayList<>();

  /** A line, unless the value is empty. */
  Sheet line(String name, @Nullable String value) {
    if (value != null && !value.isBlank()) {
      lines.add(new Line(name, Words.block(value).strip()));
    }
    return this;
  }

  /** Every field of a thing that has a value, but for these; objects get a line for each field. */
  Sheet fields(JsonNode thing, String... left) {
    fields("", thing, List.of(left));
    return this;
  }

  private void fields(String prefix, JsonNode thing, List<String> left) {
    thing.propertyStream().forEach(field -> {
      String name = prefix + field.getKey();
      if (left.contains(name)) {
        return;
      }
      if (field.getValue().isObject()) {
        fields(name + ".", field.getValue(), left);
      } else {
        line(name, Json.text(field.getValue()));
      }
    });
  }

  String text() {
    int widest = lines.stream().mapToInt(line -> line.name.length()).max().orElse(0);
    String indent = " ".repeat(widest + 2);
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.name)
          .append(" ".repeat(widest + 2 - line.name.length()))
          .append(line.value.replace("\n", System.lineSeparator() + indent))
          .append(System.lineSeparator());
    }
    return text.toString();
  }
}
