package io.sluice.cli;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs of a queue are meant, or of all queues; without any option, all of them. */
final class JobMarks {
  @Option(
      names = "--type",
      order = 12,
      paramLabel = "TYPE",
      description = "of this type; http for requests")
  private @Nullable String type;

  @Option(names = "--url-group", order = 13, paramLabel = "NAME", description = "of this URL group")
  private @Nullable String urlGroup;

  @Option(
      names = "--idempotency-key",
      order = 14,
      paramLabel = "KEY",
      description = "with this idempotency key")
  private @Nullable String idempotencyKey;

  @Option(
      names = "--limit-key",
      order = 15,
      paramLabel = "KEY",
      description = "with this limit key")
  private @Nullable String limitKey;

  @Option(names = "--batch", order = 16, paramLabel = "BATCH", description = "in this batch")
  private @Nullable String batch;

  @Option(
      names = "--metadata",
      order = 17,
      paramLabel = "NAME=VALUE",
      description = "whose metadata has this, as in userId=u1; repeat for more")
  private Map<String, String> metadata = new LinkedHashMap<>();

  @Option(
      names = "--from",
      order = 18,
      paramLabel = "TIME",
      description = "made then or later: a time, a day, or how long ago (2h)")
  private @Nullable String from;

  @Option(names = "--to", order = 19, paramLabel = "TIME", description = "made before then")
  private @Nullable String to;

  @Option(
      names = {"-q", "--search"},
      order = 20,
      paramLabel = "TEXT",
      description = "with this text in type, payload or reason")
  private @Nullable String search;

  /** Every option that was given, by its name in the API. */
  Map<String, String> given(InstantSource clock) {
    Map<String, String> given = new LinkedHashMap<>();
    put(given, "type", type);
    put(given, "urlGroup", urlGroup);
    put(given, "idempotencyKey", idempotencyKey);
    put(given, "limitKey", limitKey);
    put(given, "batch", batch);
    metadata.forEach((field, value) -> given.put("metadata." + field, value));
    put(given, "from", from == null ? null : Times.past("--from", from, clock).toString());
    put(given, "to", to == null ? null : Times.past("--to", to, clock).toString());
    put(given, "q", search);
    return given;
  }

  private static void put(Map<String, String> map, String name, @Nullable String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  boolean isSearch() {
    return search != null;
  }
}
