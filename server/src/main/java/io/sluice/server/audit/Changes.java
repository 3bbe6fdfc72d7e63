package io.sluice.server.audit;

import io.sluice.server.rest.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a change makes of a thing, for the audit log: each field that is another one afterwards, with both
 * values. Secrets read {@code ***} in what people see of a thing, and so they do here.
 */
public final class Changes {
  private static final int LONGEST_VALUE = 300;
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Json json;

  public Changes(Json json) {
    this.json = json;
  }

  /**
   * The fields that differ, such as {@code baseUrl "https://a" -> "https://b"}, and then these words.
   *
   * @param before null where there was nothing
   * @param more what cannot be seen of the two, such as that a secret is another one
   * @return null where nothing differs
   */
  public @Nullable String between(@Nullable Object before, Object after, List<String> more) {
    Map<String, String> old = new TreeMap<>();
    Map<String, String> fresh = new TreeMap<>();
    if (before != null) {
      flatten("", tree(before), old);
    }
    flatten("", tree(after), fresh);
    List<String> words = new ArrayList<>();
    Map<String, String> all = new TreeMap<>(old);
    all.putAll(fresh);
    for (String field : all.keySet()) {
      String was = old.getOrDefault(field, "null");
      String is = fresh.getOrDefault(field, "null");
      if (!was.equals(is)) {
        words.add(before == null ? field + " " + is : field + " " + was + " -> " + is);
      }
    }
    words.addAll(more);
    return words.isEmpty() ? null : String.join(", ", words);
  }

  public @Nullable String between(@Nullable Object before, Object after) {
    return between(before, after, List.of());
  }

  private JsonNode tree(Object thing) {
    return MAPPER.readTree(json.text(thing));
  }

  private static void flatten(String path, JsonNode node, Map<String, String> into) {
    if (node.isObject()) {
      node.propertyStream()
          .forEach(entry -> flatten(
              path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(),
              entry.getValue(),
              into));
    } else if (!node.isNull()) {
      String text = node.toString();
      into.put(
          path, text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…");
    }
  }
}
