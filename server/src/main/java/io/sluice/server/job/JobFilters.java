package io.sluice.server.job;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.StorableText;
import io.sluice.server.rest.TimeTexts;
import java.time.DateTimeException;
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
  /** Asks for whole jobs in a list. */
  static final String FULL = "full";

  /** Says that everything is meant, where there is no filter. */
  static final String ALL = "all";

  static final String METADATA = "metadata.";
  private static final String[] NAMES = {
    "queue", "type", "urlGroup", "idempotencyKey", "limitKey", "batch", METADATA, "from", "to", "q"
  };
  private static final String[] NAMES_AND_STATE = with("state", NAMES);

  private JobFilters() {}

  /** Refuses every parameter that does not belong to a list of jobs. */
  static Query checked(Query query, boolean withState) {
    return query.onlyPaged(with(FULL, withState ? NAMES_AND_STATE : NAMES));
  }

  /** As {@link #of(String, Query)}, in a queue that is known already. */
  static JobFilter ofQueue(String tenant, String queue, Query query) {
    String[] names =
        Arrays.stream(NAMES_AND_STATE).filter(name -> !name.equals("queue")).toArray(String[]::new);
    return of(tenant, query.onlyPaged(with(FULL, names))).inQueue(queue);
  }

  private static String[] with(String name, String... names) {
    return Stream.concat(Arrays.stream(names), Stream.of(name)).toArray(String[]::new);
  }

  /** Refuses every parameter but those of a filter without a state, and the word for all. */
  static Query unpaged(Query query) {
    return query.only(with(ALL, NAMES));
  }

  /** The same, and no search: a count of what was found would tell of values that are hidden. */
  static Query unsearched(Query query) {
    return query.only(
        Arrays.stream(NAMES).filter(name -> !name.equals("q")).toArray(String[]::new));
  }

  static JobFilter of(String tenant, Query query) {
    return of(tenant, given(query));
  }

  /** What narrows, each under the name that it has in a query. */
  static Map<String, String> given(Query query) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String name : NAMES_AND_STATE) {
      query.text(name).ifPresent(value -> given.put(name, value));
    }
    query.under(METADATA).forEach((name, value) -> given.put(METADATA + name, value));
    return given;
  }

  /** True for what narrows dead letters, and jobs. */
  static boolean isName(String name) {
    return name.startsWith(METADATA)
        ? name.length() > METADATA.length()
        : Arrays.asList(NAMES).contains(name);
  }

  /** The names of what narrows, for people. */
  static String names() {
    return String.join(", ", NAMES).replace(METADATA, METADATA + "<field>");
  }

  /** The filter of what is given; nothing of it may be empty, or it would not narrow. */
  static JobFilter of(String tenant, Map<String, String> given) {
    Checks checks = new Checks();
    given.forEach((name, value) -> checks
        .require(!value.isEmpty(), name, "must not be empty: give it a value, or leave it out")
        .require(
            StorableText.isPlain(name) && StorableText.isPlain(value), name, StorableText.PLAIN));
    String batch = given.get("batch");
    String urlGroup = given.get("urlGroup");
    checks
        .require(batch == null || Checks.isUuid(batch), "batch", "must be the id of a batch")
        .require(
            urlGroup == null || !Lane.isBucket(urlGroup),
            "urlGroup",
            "must be the name of a URL group");
    Instant from = time(checks, "from", given);
    Instant to = time(checks, "to", given);
    String state = given.get("state");
    Set<JobState> states = state == null ? Set.of() : checks.take("", () -> Set.of(states(state)));
    checks.done();
    return new JobFilter(
        tenant,
        given.get("queue"),
        given.get("type"),
        urlGroup,
        states == null ? Set.of() : states,
        given.get("idempotencyKey"),
        given.get("limitKey"),
        batch == null ? null : UUID.fromString(batch),
        metadata(given),
        from,
        to,
        given.get("q"));
  }

  private static @Nullable Instant time(Checks checks, String name, Map<String, String> given) {
    String text = given.get(name);
    try {
      return text == null ? null : TimeTexts.time(text);
    } catch (DateTimeException e) {
      checks.require(
          false, name, "must be a time such as 2026-01-31T12:00:00Z, in the years 1 to 9999");
      return null;
    }
  }

  private static Map<String, String> metadata(Map<String, String> given) {
    Map<String, String> metadata = new HashMap<>();
    given.forEach((name, value) -> {
      if (name.startsWith(METADATA)) {
        metadata.put(name.substring(METADATA.length()), value);
      }
    });
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
