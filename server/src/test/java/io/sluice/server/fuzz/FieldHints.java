package io.sluice.server.fuzz;

import io.sluice.server.fuzz.KnownThings.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/** Good values for fields and parameters that a schema alone does not tell: names, addresses, times. */
final class FieldHints {
  static final List<String> TYPES = List.of("mail.send", "page.read", "order:42", "a");
  private static final List<String> PATHS =
      List.of("/ok", "/ok", "/ok", "/fail", "/reject", "/busy");
  private static final List<String> SHORT = List.of("10ms", "50ms", "PT0.02S", "1s");
  private static final List<String> LONG = List.of("1m", "90s", "1h", "PT5M", "24h");
  private static final List<String> STATES = List.of(
      "SCHEDULED", "PENDING", "RUNNING", "RETRYING", "COMPLETED", "FAILED", "DEAD", "CANCELLED");
  private static final JsonMapper MAPPER = new JsonMapper();

  private final FuzzWorld world;
  private final RandomGenerator random;
  private final InstantSource clock = InstantSource.system();

  FieldHints(FuzzWorld world, RandomGenerator random) {
    this.world = world;
    this.random = random;
  }

  /** A value for a field of this name, in a request of this tenant. */
  Optional<JsonNode> of(String field, FuzzTenant tenant) {
    Optional<String> text = text(field, tenant);
    return text.isPresent() ? text.map(StringNode::valueOf) : value(field, tenant);
  }

  private Optional<String> text(String field, FuzzTenant tenant) {
    return switch (field) {
      case "queue" -> Optional.of(tenant.things().any(Kind.QUEUE, random).orElse("default"));
      case "urlGroup" -> Optional.of(tenant.things().any(Kind.GROUP, random).orElse("no-group"));
      case "parent", "batch" -> Optional.of(id(tenant, Kind.BATCH));
      case "lease" -> Optional.of(id(tenant, Kind.LEASE));
      case "url", "callbackUrl", "failureCallbackUrl" ->
        Optional.of(world.receiver() + pick(PATHS));
      case "baseUrl", "tokenUrl" -> Optional.of(world.receiver());
      case "path", "endpoint" -> Optional.of(pick(PATHS));
      case "type" -> Optional.of(pick(TYPES));
      case "name" -> Optional.of(world.newName());
      case "header" -> Optional.of("x-auth");
      case "worker" -> Optional.of("w" + random.nextInt(5));
      case "scheme" -> Optional.of(pick(List.of("standard-webhooks", "wstash")));
      case "limitKey" -> Optional.of("k" + random.nextInt(8));
      case "idempotencyKey", "Idempotency-Key" -> Optional.of("i" + random.nextInt(2_000));
      case "bodyBase64" -> Optional.of("aGVsbG8=");
      case "traceparent" -> Optional.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
      case "expiresAt" -> Optional.of(in(random.nextInt(3_600) + 60));
      case "runAt", "retryAt", "to" -> Optional.of(in(random.nextInt(20) - 5));
      case "from" -> Optional.of(in(-random.nextInt(3_600)));
      case "tenant" -> Optional.of(tenant.name());
      default -> duration(field);
    };
  }

  private Optional<String> duration(String field) {
    return switch (field) {
      case "wait", "delay", "initialDelay", "slowCallThreshold" -> Optional.of(pick(SHORT));
      case "maxDelay", "timeout", "maxLatency" -> Optional.of("1s");
      case "tripDuration" -> Optional.of("500ms");
      case "defaultTimeout",
          "leaseFor",
          "extendBy",
          "window",
          "interval",
          "overlap",
          "disableAfter" -> Optional.of(pick(LONG));
      case "completed", "dead" -> Optional.of("24h");
      default -> Optional.empty();
    };
  }

  private Optional<JsonNode> value(String field, FuzzTenant tenant) {
    return switch (field) {
      case "payload", "result", "body" -> Optional.of(anyJson());
      case "custom" -> Optional.of(MAPPER.createObjectNode().put("shop", "s1").putNull("none"));
      case "priority" ->
        Optional.of(random.nextBoolean() ? StringNode.valueOf("high") : number(random.nextInt(21)));
      case "headers", "defaultHeaders" ->
        Optional.of(MAPPER.createObjectNode().put("x-a", "1").put("X-Api-Key", "secret"));
      case "after", "ids" -> Optional.of(ids(tenant));
      case "types" -> Optional.of(array(pick(TYPES), pick(TYPES)));
      case "secrets" -> Optional.of(array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
      case "ipAllowlist" -> Optional.of(array("127.0.0.0/8"));
      case "maxSize" -> Optional.of(number(random.nextInt(4) == 0 ? 5 : 100_000));
      case "maxConcurrent", "concurrentRequests" -> Optional.of(number(random.nextInt(50) + 1));
      case "perSecond", "requestsPerSecond" -> Optional.of(number(random.nextInt(1_000) + 10));
      case "enabled" -> Optional.of(JsonNodeFactory.instance.booleanNode(random.nextInt(8) > 0));
      case "maxAttempts" -> Optional.of(number(random.nextInt(3) + 1));
      default -> Optional.empty();
    };
  }

  /** Words from the list of states, with commas between, for parameters and bodies of bulk calls. */
  String states() {
    return random.nextBoolean() ? pick(STATES) : pick(STATES) + "," + pick(STATES);
  }

  private ArrayNode ids(FuzzTenant tenant) {
    ArrayNode ids = MAPPER.createArrayNode();
    for (int i = 0; i <= random.nextInt(3); i++) {
      ids.add(id(tenant, random.nextInt(6) == 0 ? Kind.BATCH : Kind.JOB));
    }
    return ids;
  }

  /** The id of a thing that there is, or where there is none, of nothing. */
  String id(FuzzTenant tenant, Kind kind) {
    return tenant.things().any(kind, random).orElse("0192f0c1-2b7e-7000-8000-000000000000");
  }

  private String in(int seconds) {
    return clock.instant().plus(Duration.ofSeconds(seconds)).toString();
  }

  private JsonNode anyJson() {
    if (random.nextInt(100) == 0) {
      return StringNode.valueOf("x".repeat(50_000));
    }
    return switch (random.nextInt(6)) {
      case 0 -> MAPPER.createObjectNode().put("to", "ada@example.com").put("n", random.nextInt());
      case 1 -> array("a", "ü", "say \"hi\"");
      case 2 -> StringNode.valueOf("text " + random.nextInt(100));
      case 3 -> MAPPER.createObjectNode().set("deep", MAPPER.createObjectNode().putNull("x"));
      default -> MAPPER.createObjectNode().put("shop", "s" + random.nextInt(5));
    };
  }

  private static JsonNode number(int value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  private static ArrayNode array(String... texts) {
    ArrayNode array = MAPPER.createArrayNode();
    List.of(texts).forEach(array::add);
    return array;
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
