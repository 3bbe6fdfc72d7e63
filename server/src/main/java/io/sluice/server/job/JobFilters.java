package io.sluice.server.job;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which jobs of a tenant a caller asks for, in a query or in a body. */
final class JobFilters {
  private static final String METADATA = "metadata.";
  private static final String[] NAMES = {
    "queue", "type", "urlGroup", "idempotencyKey", "limitKey", "batch", METADATA, "from", "to", "q"
  };
  private static final String[] NAMES_AND_STATE =
      Stream.concat(Arrays.stream(NAMES), Stream.of("state")).toArray(String[]::new);

  private JobFilters() {}

  /** A filter as a body: metadata by fields of an object, or each under its name with the prefix. */
  record Body(
      @Nullable String queue,
      @Nullable String type,
      @Nullable String urlGroup,
      @Nullable String idempotencyKey,
      @Nullable String limitKey,
      @Nullable String batch,
      @Nullable Map<String, String> metadata,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable String q,
      @JsonAnySetter @Nullable Map<String, @Nullable String> others) {}

  /** Refuses every parameter that does not belong to a list of jobs. */
  static Query checked(Query query, boolean withState) {
    return query.onlyPaged(withState ? NAMES_AND_STATE : NAMES);
  }

  /** As {@link #of(String, Query)}, in a queue that is known already. */
  static JobFilter ofQueue(String tenant, String queue, Query query) {
    String[] names =
        Arrays.stream(NAMES_AND_STATE).filter(name -> !name.equals("queue")).toArray(String[]::new);
    return of(tenant, query.onlyPaged(names)).inQueue(queue);
  }

  /** Refuses every parameter but those of a filter without a state. */
  static Query unpaged(Query query) {
    return query.only(NAMES);
  }

  /** The same, and no search: a count of what was found would tell of values that are hidden. */
  static Query unsearched(Query query) {
    return query.only(
        Arrays.stream(NAMES).filter(name -> !name.equals("q")).toArray(String[]::new));
  }

  static JobFilter of(String tenant, Query query) {
    Body body = new Body(
        query.text("queue").orElse(null),
        query.text("type").orElse(null),
        query.text("urlGroup").orElse(null),
        query.text("idempotencyKey").orElse(null),
        query.text("limitKey").orElse(null),
        query.text("batch").orElse(null),
        query.under(METADATA),
        query.time("from").orElse(null),
        query.time("to").orElse(null),
        query.text("q").orElse(null),
        null);
    JobFilter filter = of(tenant, body);
    return query.text("state").map(JobFilters::states).map(filter::in).orElse(filter);
  }

  static JobFilter of(String tenant, Body body) {
    Map<String, String> metadata = metadata(body);
    Checks checks = new Checks();
    plain(checks, "queue", body.queue());
    plain(checks, "type", body.type());
    plain(checks, "urlGroup", body.urlGroup());
    plain(checks, "idempotencyKey", body.idempotencyKey());
    plain(checks, "limitKey", body.limitKey());
    plain(checks, "q", body.q());
    checks.require(
        body.batch() == null || Checks.isUuid(body.batch()), "batch", "must be the id of a batch");
    checks.require(
        body.urlGroup() == null || !Lane.isBucket(body.urlGroup()),
        "urlGroup",
        "must be the name of a URL group");
    metadata.forEach((name, value) -> {
      plain(checks, METADATA + name, name);
      plain(checks, METADATA + name, value);
    });
    checks.done();
    return new JobFilter(
        tenant,
        body.queue(),
        body.type(),
        body.urlGroup(),
        Set.of(),
        body.idempotencyKey(),
        body.limitKey(),
        body.batch() == null ? null : UUID.fromString(body.batch()),
        metadata,
        body.from(),
        body.to(),
        body.q());
  }

  /** No job has such text, and PostgreSQL would not even look for it. */
  private static void plain(Checks checks, String field, @Nullable String text) {
    checks.require(
        text == null || text.codePoints().noneMatch(c -> c == 0 || (c >= 0xd800 && c <= 0xdfff)),
        field,
        "must not contain the character U+0000 or half of a surrogate pair");
  }

  private static Map<String, String> metadata(Body body) {
    Map<String, String> metadata = new HashMap<>();
    if (body.metadata() != null) {
      metadata.putAll(body.metadata());
    }
    if (body.others() != null) {
      body.others().forEach((name, value) -> {
        if (!name.startsWith(METADATA) || name.length() == METADATA.length()) {
          throw new Invalid(
              name, "is not a field here; known are " + String.join(", ", NAMES) + "<field>");
        }
        if (value != null) {
          metadata.put(name.substring(METADATA.length()), value);
        }
      });
    }
    return metadata;
  }

  private static JobState[] states(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(word -> state(word.strip()))
        .distinct()
        .toArray(JobState[]::new);
  }

  private static JobState state(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    return Arrays.stream(JobState.values())
        .filter(state -> state.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new Invalid(
            "state",
            "must be one or more of "
                + Arrays.stream(JobState.values())
                    .map(JobState::name)
                    .collect(Collectors.joining(", "))
                + ", with commas between"));
  }

  /** The filter in one spelling, so that a cursor can be bound to it. */
  static String spelled(JobFilter filter, Json json) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("tenant", filter.tenant());
    fields.put("queue", filter.queue());
    fields.put("type", filter.type());
    fields.put("urlGroup", filter.urlGroup());
    fields.put("states", filter.states().stream().sorted().toList());
    fields.put("idempotencyKey", filter.idempotencyKey());
    fields.put("limitKey", filter.limitKey());
    fields.put("batch", filter.batch());
    fields.put("metadata", new TreeMap<>(filter.metadata()));
    fields.put("from", filter.from());
    fields.put("to", filter.to());
    fields.put("text", filter.text());
    return json.text(fields);
  }
}
