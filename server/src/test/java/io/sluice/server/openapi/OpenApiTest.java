package io.sluice.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.Defaults;
import io.sluice.server.TestServer;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The document that is served, against the routes that there are and against itself. */
class OpenApiTest {
  private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

  /** The record that each schema of a request describes. */
  private static final Map<String, String> BODIES = Map.ofEntries(
      Map.entry("TenantBody", "tenants.TenantSettings"),
      Map.entry("Rate", "limit.RateBody"),
      Map.entry("LimitBody", "limit.LimitBody"),
      Map.entry("KeyBody", "keys.KeyResource$NewKey"),
      Map.entry("QueueBody", "queue.QueueBody"),
      Map.entry("Levels", "tenants.LevelsBody"),
      Map.entry("Retention", "queue.QueueBody$Keeping"),
      Map.entry("JobBody", "job.JobBody"),
      Map.entry("Metadata", "job.MetadataBody"),
      Map.entry("BatchBody", "job.JobsResource$Batch"),
      Map.entry("NewBatch", "workflow.BatchBody"),
      Map.entry("MoreJobs", "workflow.BatchesResource$MoreBody"),
      Map.entry("ClaimBody", "pull.PullResource$ClaimBody"),
      Map.entry("ProgressBody", "pull.PullResource$ProgressBody"),
      Map.entry("HeartbeatBody", "pull.PullResource$HeartbeatBody"),
      Map.entry("CompleteBody", "pull.PullResource$CompleteBody"),
      Map.entry("FailBody", "pull.PullResource$FailBody"),
      Map.entry("ErrorBody", "pull.PullResource$ErrorBody"),
      Map.entry("UrlGroupBody", "urlgroup.UrlGroupBody"),
      Map.entry("RateLimits", "urlgroup.UrlGroupBody$RateLimits"),
      Map.entry("CircuitBreaker", "breaker.BreakerBody"),
      Map.entry("HealthCheck", "urlgroup.UrlGroupBody$HealthCheck"),
      Map.entry("Signing", "urlgroup.UrlGroupBody$SigningBody"));

  /** The same for what is read back. */
  private static final Map<String, String> ANSWERS = Map.ofEntries(
      Map.entry("Tenant", "tenants.TenantView"),
      Map.entry("NewKey", "keys.KeyResource$MadeKey"),
      Map.entry("Key", "keys.KeyResource$KnownKey"),
      Map.entry("UsageDay", "tenants.Usage$Day"),
      Map.entry("Queue", "queue.QueueView"),
      Map.entry("Limit", "limit.LimitView"),
      Map.entry("QueueMetrics", "queue.QueueMetrics"),
      Map.entry("Job", "job.JobView"),
      Map.entry("Explanation", "job.ExplanationView"),
      Map.entry("Reason", "job.ExplanationView$Because"),
      Map.entry("Origin", "job.JobView$Origin"),
      Map.entry("Accepted", "job.JobsResource$Accepted"),
      Map.entry("BulkChanged", "job.BulkJobs$Changed"),
      Map.entry("Left", "job.JobView$Left"),
      Map.entry("Batch", "workflow.BatchView"),
      Map.entry("BatchStarted", "workflow.BatchesResource$Started"),
      Map.entry("StepStarted", "workflow.BatchesResource$Item"),
      Map.entry("Graph", "workflow.GraphResource$View"),
      Map.entry("GraphNode", "workflow.GraphResource$Node"),
      Map.entry("UrlGroup", "urlgroup.UrlGroupView"),
      Map.entry("Standing", "urlgroup.Standing"),
      Map.entry("Breaker", "breaker.BreakerView"),
      Map.entry("UrlGroupHealth", "urlgroup.GroupStateResource$Health"),
      Map.entry("UrlGroupMetrics", "urlgroup.GroupStateResource$Metrics"),
      Map.entry("HealthCheckResult", "urlgroup.GroupHealth$Check"),
      Map.entry("GroupDelivery", "urlgroup.GroupFigures$Delivery"),
      Map.entry("Stats", "stats.StatsResource$View"),
      Map.entry("Worker", "stats.WorkersResource$View"),
      Map.entry("Ended", "pull.PullResource$Ended"),
      Map.entry("Failure", "job.JobView$Failure"),
      Map.entry("AuditEntry", "audit.AuditEntry"),
      Map.entry("HealthStatus", "health.HealthRoutes$Status"),
      Map.entry("Problem", "rest.Problem"),
      Map.entry("FieldError", "rest.FieldError"));

  private static TestServer server;
  private static JsonNode document;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    document = server.admin().withKey(null).get("/openapi.json").body();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** An operation, by its method and path. */
  private record Operation(String name, String path, JsonNode at, JsonNode of) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    document
        .at("/paths")
        .propertyStream()
        .forEach(path -> path.getValue()
            .propertyStream()
            .filter(entry -> METHODS.contains(entry.getKey()))
            .forEach(entry -> operations.add(new Operation(
                entry.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                path.getKey(),
                path.getValue(),
                entry.getValue()))));
    return operations;
  }

  @Test
  void document_hasEveryRoute_andNoOther() {
    Set<String> routes = server.routes().all().stream()
        .map(route -> route.method() + " " + route.path())
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(operations())
        .extracting(Operation::name)
        .containsExactlyInAnyOrderElementsOf(routes);
  }

  @Test
  void document_saysWhatEachRouteAsks() {
    assertThat(document.at("/openapi").asString()).isEqualTo("3.1.0");
    assertThat(document.at("/info/version").asString()).isEqualTo("development");
    assertThat(operations()).allSatisfy(operation -> {
      boolean open = operation.of.at("/x-access").asString().equals("PUBLIC");
      assertThat(operation.of.has("security")).as(operation.name).isEqualTo(open);
      assertThat(operation.of.has("x-access")).as(operation.name).isTrue();
    });
  }

  @Test
  void operations_areComplete() {
    List<String> ids =
        operations().stream().map(o -> o.of.at("/operationId").asString()).toList();
    assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
    Set<String> tags = document
        .at("/tags")
        .valueStream()
        .map(tag -> tag.at("/name").asString())
        .collect(Collectors.toSet());
    assertThat(operations()).allSatisfy(operation -> {
      assertThat(operation.of.at("/summary").asString()).as(operation.name).endsWith(".");
      assertThat(tags).as(operation.name).contains(operation.of.at("/tags/0").asString());
      assertThat(operation.of.at("/responses").propertyStream().map(Map.Entry::getKey))
          .as(operation.name)
          .anyMatch(status -> status.startsWith("2"));
      assertThat(pathParameters(operation)).as(operation.name).isEqualTo(inPath(operation.path));
    });
  }

  /** For its form, whatever the route; 404 also for an unknown tenant in Sluice-Tenant. */
  @Test
  void operations_haveWhatAnyRequestMayBeAnswered() {
    assertThat(operations()).allSatisfy(operation -> {
      Set<String> statuses = new TreeSet<>(operation.of.at("/responses").propertyNames());
      assertThat(statuses)
          .as(operation.name)
          .contains("400", "405", "408", "413", "414", "415", "417", "431", "501", "505");
      if (!operation.of.has("security")) {
        assertThat(statuses).as(operation.name).contains("401", "403", "404", "429", "503");
      }
    });
  }

  private static Set<String> inPath(String path) {
    Set<String> names = new HashSet<>();
    Matcher matcher = PARAMETER.matcher(path);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static Set<String> pathParameters(Operation operation) {
    return java.util.stream.Stream.of(operation.at, operation.of)
        .flatMap(node -> node.path("parameters").valueStream())
        .map(OpenApiTest::resolved)
        .filter(parameter -> parameter.at("/in").asString().equals("path"))
        .map(parameter -> parameter.at("/name").asString())
        .collect(Collectors.toSet());
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.at("/$ref").asString().substring(1)) : node;
  }

  @Test
  void references_leadSomewhere_andNothingIsLeftOver() {
    Set<String> named = new TreeSet<>();
    document.findValues("$ref").forEach(reference -> named.add(reference.asString()));
    assertThat(named)
        .allSatisfy(reference -> assertThat(document.at(reference.substring(1)).isMissingNode())
            .as(reference)
            .isFalse());
    for (String kind : List.of("schemas", "parameters", "responses")) {
      document
          .at("/components/" + kind)
          .propertyNames()
          .forEach(name -> assertThat(named).contains("#/components/" + kind + "/" + name));
    }
  }

  /** A comma in a text without quotes makes the rest of it the name of a field without a value. */
  @Test
  void texts_areWhole() {
    assertThat(emptyFields("", document)).isEmpty();
  }

  private static List<String> emptyFields(String path, JsonNode node) {
    List<String> found = new ArrayList<>();
    node.propertyStream().forEach(field -> {
      String at = path + "/" + field.getKey();
      if (field.getValue().isNull()) {
        found.add(at);
      }
      found.addAll(emptyFields(at, field.getValue()));
    });
    node.values().forEach(value -> {
      if (!node.isObject()) {
        found.addAll(emptyFields(path, value));
      }
    });
    return found;
  }

  @Test
  void requests_haveTheFieldsOfTheirRecords_andNoOthers() {
    BODIES.forEach((schema, type) -> {
      assertThat(fields(schema)).as(schema).isEqualTo(components(type));
      assertThat(schema(schema).path("additionalProperties").asBoolean(true))
          .as(schema)
          .isFalse();
    });
  }

  @Test
  void answers_haveTheFieldsOfTheirRecords_andNoOthers() {
    ANSWERS.forEach(
        (schema, type) -> assertThat(fields(schema)).as(schema).isEqualTo(components(type)));
  }

  /** What is taken and answered, where the fields alone do not say it. */
  @Test
  void schemas_haveTheBoundsAndNulls_ofTheCode() {
    assertThat(schema("ClaimBody").at("/properties/max/maximum").asInt())
        .isEqualTo(Defaults.LARGEST_REMOTE_CLAIM);
    assertThat(fields("Progress")).containsExactly("at", "message", "percent");
    Pattern type =
        Pattern.compile(schema("JobBody").at("/properties/type/pattern").asString());
    assertThat(type.matcher("a".repeat(128)).matches()).isTrue();
    assertThat(type.matcher("a".repeat(129)).matches()).isFalse();
    Map.of(
            "JobBody", List.of("delay", "timeout", "retry", "priority"),
            "ClaimBody", List.of("leaseFor", "wait"),
            "Retry", List.of("initialDelay", "maxDelay"),
            "HealthCheck", List.of("maxLatency", "interval", "timeout"),
            "QueueBody", List.of("defaultRetry", "defaultTimeout", "priority"),
            "RotationBody", List.of("overlap"))
        .forEach((schema, fields) ->
            fields.forEach(field -> assertThat(takesNull(schema(schema).at("/properties/" + field)))
                .as(schema + "." + field)
                .isTrue()));
    for (String bulk : List.of("FilterBody", "BulkJobsBody")) {
      assertThat(schema(bulk).path("properties").valueStream())
          .as(bulk)
          .noneMatch(OpenApiTest::takesNull);
    }
  }

  private static boolean takesNull(JsonNode schema) {
    JsonNode type = resolved(schema).path("type");
    return type.asString("").equals("null")
        || type.valueStream().anyMatch(one -> one.asString().equals("null"))
        || schema.path("anyOf").valueStream().anyMatch(OpenApiTest::takesNull);
  }

  private static JsonNode schema(String name) {
    JsonNode schema = document.at("/components/schemas/" + name);
    assertThat(schema.isMissingNode()).as(name).isFalse();
    return schema;
  }

  private static Set<String> fields(String schema) {
    return new TreeSet<>(schema(schema).path("properties").propertyNames());
  }

  private static String jsonName(RecordComponent component) {
    JsonProperty other = component.getAccessor().getAnnotation(JsonProperty.class);
    return other == null ? component.getName() : other.value();
  }

  private static Set<String> components(String type) {
    try {
      return Arrays.stream(Class.forName("io.sluice.server." + type).getRecordComponents())
          .map(OpenApiTest::jsonName)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
