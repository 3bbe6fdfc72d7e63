package io.sluice.store;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import io.sluice.Ties;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON forms of the parts of a job, the same in every store. Written field by field, so that the
 * stored form changes only when somebody changes it here.
 */
public final class Documents {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};

  private Documents() {}

  public static String of(Metadata metadata) {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(fields, "correlationId", metadata.correlationId());
    put(fields, "source", metadata.source());
    put(fields, "userId", metadata.userId());
    put(fields, "companyId", metadata.companyId());
    put(fields, "traceparent", metadata.traceparent());
    if (!metadata.custom().isEmpty()) {
      fields.put("custom", metadata.custom());
    }
    return JSON.writeValueAsString(fields);
  }

  public static Metadata metadata(String json) {
    Map<String, Object> fields = read(json);
    return new Metadata(
        text(fields, "correlationId"),
        text(fields, "source"),
        text(fields, "userId"),
        text(fields, "companyId"),
        text(fields, "traceparent"),
        nested(fields, "custom"));
  }

  public static String of(RetryPolicy policy) {
    Map<String, Object> fields = fieldsOf(policy);
    if (!policy.on().isEmpty()) {
      Map<String, Object> on = new LinkedHashMap<>();
      policy.on().forEach((errorClass, special) -> on.put(errorClass.name(), fieldsOf(special)));
      fields.put("on", on);
    }
    return JSON.writeValueAsString(fields);
  }

  public static RetryPolicy retryPolicy(String json) {
    Map<String, Object> fields = read(json);
    Map<ErrorClass, RetryPolicy> on = new EnumMap<>(ErrorClass.class);
    for (String name : nested(fields, "on").keySet()) {
      on.put(ErrorClass.valueOf(name), policyOf(nested(nested(fields, "on"), name), Map.of()));
    }
    return policyOf(fields, on);
  }

  public static String of(JobError error) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", error.at().toString());
    fields.put("attempt", error.attempt());
    fields.put("class", error.errorClass().name());
    fields.put("code", error.code());
    fields.put("message", error.message());
    put(fields, "stack", error.stack());
    put(fields, "status", error.status());
    put(fields, "responseBody", error.responseBody());
    return JSON.writeValueAsString(fields);
  }

  public static JobError error(String json) {
    Map<String, Object> fields = read(json);
    Object status = fields.get("status");
    return new JobError(
        Instant.parse(required(fields, "at")),
        number(fields, "attempt").intValue(),
        ErrorClass.valueOf(required(fields, "class")),
        required(fields, "code"),
        required(fields, "message"),
        text(fields, "stack"),
        status instanceof Number n ? n.intValue() : null,
        text(fields, "responseBody"));
  }

  /** Those that a job waits for, and its policy; not its batch. */
  public static String of(Ties ties) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Map<String, Object>> after = new ArrayList<>(ties.after().size());
    for (Predecessor one : ties.after()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("id", one.id().toString());
      entry.put("name", one.name());
      after.add(entry);
    }
    fields.put("after", after);
    fields.put("policy", ties.policy().name());
    return JSON.writeValueAsString(fields);
  }

  public static Ties ties(String json, @Nullable UUID batch) {
    Map<String, Object> fields = read(json);
    List<Predecessor> after = new ArrayList<>();
    if (fields.get("after") instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        Map<String, Object> entry = entry(list, i);
        after.add(new Predecessor(UUID.fromString(required(entry, "id")), required(entry, "name")));
      }
    }
    return new Ties(after, AfterPolicy.valueOf(required(fields, "policy")), batch);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> entry(List<?> list, int place) {
    return list.get(place) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** What a batch leaves to those that wait for it. */
  public static String of(BatchCounts counts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("total", counts.total());
    fields.put("completed", counts.completed());
    fields.put("failed", counts.failed());
    fields.put("cancelled", counts.cancelled());
    return JSON.writeValueAsString(fields);
  }

  private static Map<String, Object> fieldsOf(RetryPolicy policy) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("maxAttempts", policy.maxAttempts());
    fields.put("strategy", policy.strategy().name().toLowerCase(Locale.ROOT));
    fields.put("initialDelay", policy.initialDelay().toString());
    fields.put("multiplier", policy.multiplier());
    fields.put("maxDelay", policy.maxDelay().toString());
    fields.put("jitter", policy.jitter());
    return fields;
  }

  private static RetryPolicy policyOf(Map<String, Object> fields, Map<ErrorClass, RetryPolicy> on) {
    return new RetryPolicy(
        number(fields, "maxAttempts").intValue(),
        RetryStrategy.valueOf(required(fields, "strategy").toUpperCase(Locale.ROOT)),
        Duration.parse(required(fields, "initialDelay")),
        number(fields, "multiplier").doubleValue(),
        Duration.parse(required(fields, "maxDelay")),
        number(fields, "jitter").doubleValue(),
        on);
  }

  private static Map<String, Object> read(String json) {
    return JSON.readValue(json, OBJECT);
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private static @Nullable String text(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value == null ? null : value.toString();
  }

  private static String required(Map<String, Object> fields, String name) {
    String value = text(fields, name);
    if (value == null) {
      throw new IllegalArgumentException("no '" + name + "' in " + fields);
    }
    return value;
  }

  private static Number number(Map<String, Object> fields, String name) {
    if (fields.get(name) instanceof Number n) {
      return n;
    }
    throw new IllegalArgumentException("no number '" + name + "' in " + fields);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> nested(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
