package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.JobFilter;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads which jobs a bulk call is about. Everything is meant only where the call says so by {@code all}: a filter
 * without a value, or with one that is null or empty, is refused.
 */
final class BulkReader {
  private static final String IDS = "ids";
  private static final String METADATA = "metadata";
  private static final String STATE = "state";

  private BulkReader() {}

  /** The filter in a body. */
  static JobFilter filter(Call call) {
    ObjectNode body = call.bodyOrEmpty(ObjectNode.class);
    return narrowed(call.tenant(), filter(body, false), isAll(body));
  }

  /** The filter in a query or in a body, and not in both. */
  static JobFilter filterInQueryOrBody(Call call) {
    Query query = JobFilters.unpaged(call.query());
    if (query.isEmpty()) {
      return filter(call);
    }
    if (!call.bodyOrEmpty(ObjectNode.class).isEmpty()) {
      throw new Invalid("body", "must be empty where the query has a filter: use one of them");
    }
    return narrowed(call.tenant(), JobFilters.given(query), query.flag(JobFilters.ALL));
  }

  /** The ids, or the filter with states, in a body. */
  static BulkSelection selection(Call call) {
    ObjectNode body = call.bodyOrEmpty(ObjectNode.class);
    JsonNode ids = body.remove(IDS);
    if (ids == null) {
      return new BulkSelection(narrowed(call.tenant(), filter(body, true), isAll(body)), List.of());
    }
    if (!body.isEmpty()) {
      throw new Invalid(IDS, "must be given alone: the ids say which jobs");
    }
    return new BulkSelection(JobFilter.all().inTenant(call.tenant()), ids(ids));
  }

  private static JobFilter narrowed(String tenant, Map<String, String> given, boolean all) {
    if (given.isEmpty() && !all) {
      throw new Invalid(JobFilters.ALL, "must be true where there is no filter");
    }
    if (!given.isEmpty() && all) {
      throw new Invalid(JobFilters.ALL, "must not be true where there is a filter");
    }
    return JobFilters.of(tenant, given);
  }

  private static boolean isAll(ObjectNode body) {
    JsonNode all = body.get(JobFilters.ALL);
    if (all != null && !all.isBoolean()) {
      throw new Invalid(JobFilters.ALL, "must be true or false");
    }
    return all != null && all.booleanValue();
  }

  /** What narrows, each under the name that it has in a query. */
  private static Map<String, String> filter(ObjectNode body, boolean withState) {
    Map<String, String> given = new LinkedHashMap<>();
    Checks checks = new Checks();
    body.propertyStream().forEach(field -> {
      String name = field.getKey();
      if (name.equals(METADATA)) {
        metadata(checks, given, field.getValue());
      } else if (JobFilters.isName(name) || (withState && name.equals(STATE))) {
        text(checks, given, name, field.getValue());
      } else {
        checks.require(name.equals(JobFilters.ALL), name, unknown(withState));
      }
    });
    checks.done();
    return given;
  }

  private static String unknown(boolean withState) {
    return "is not a field here; known are " + JobFilters.ALL + ", "
        + (withState ? IDS + ", " + STATE + ", " : "") + JobFilters.names();
  }

  private static void metadata(Checks checks, Map<String, String> given, JsonNode metadata) {
    checks.require(
        metadata.isObject() && !metadata.isEmpty(),
        METADATA,
        "must be an object with at least one field, or be left out");
    metadata
        .propertyStream()
        .forEach(
            field -> text(checks, given, JobFilters.METADATA + field.getKey(), field.getValue()));
  }

  private static void text(Checks checks, Map<String, String> given, String name, JsonNode value) {
    checks.require(value.isString(), name, "must be a string, or be left out");
    if (value.isString()) {
      checks.require(
          given.put(name, value.stringValue()) == null,
          name,
          "is given twice, once would be right");
    }
  }

  private static List<UUID> ids(JsonNode given) {
    if (!given.isArray() || given.isEmpty() || given.size() > Defaults.MAX_BATCH_JOBS) {
      throw new Invalid(IDS, "must be a list of 1 to " + Defaults.MAX_BATCH_JOBS + " ids of jobs");
    }
    Checks checks = new Checks();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      JsonNode id = given.get(i);
      boolean right = id.isString() && Checks.isUuid(id.stringValue());
      checks.require(right, IDS + "[" + i + "]", "must be the id of a job");
      if (right) {
        ids.add(UUID.fromString(id.stringValue()));
      }
    }
    checks.done();
    return ids;
  }
}
