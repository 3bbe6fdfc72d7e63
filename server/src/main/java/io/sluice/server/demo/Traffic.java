package io.sluice.server.demo;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the queues and the URL group, and then jobs of every kind, one after the other. */
final class Traffic implements AutoCloseable {
  /** A job that is made now and then: how often, and what. */
  private record Kind(int weight, String job) {}

  private static final Logger LOG = LoggerFactory.getLogger(Traffic.class);
  private static final String RETRY = """
      "retry": {"maxAttempts": %d, "strategy": "exponential", "initialDelay": "500ms"}""";

  private final Api api;
  private final RandomGenerator random;
  private final List<Kind> kinds;
  private final String receiver;
  private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
      Thread.ofVirtual().name("traffic").factory());

  private int count;

  Traffic(Api api, String receiver, RandomGenerator random) {
    this.api = api;
    this.receiver = receiver;
    this.random = random;
    this.kinds = List.of(
        new Kind(8, """
            {"queue": "orders", "urlGroup": "shop", "path": "/good", "body": {"order": %d}}"""),
        new Kind(3, """
            {"queue": "reports", "url": "%s/slow", "body": {"report": %%d}}""".formatted(receiver)),
        new Kind(4, """
            {"queue": "orders", "url": "%s/flaky", "body": {"order": %%d}, %s}""".formatted(receiver, RETRY.formatted(6))),
        new Kind(1, """
            {"queue": "orders", "url": "%s/broken", "body": {"order": %%d}, %s}""".formatted(receiver, RETRY.formatted(2))),
        new Kind(2, """
            {"queue": "reports", "urlGroup": "shop", "path": "/good", "delay": "10s", "body": {"report": %d}}"""),
        new Kind(4, """
            {"queue": "emails", "type": "email.send", "payload": {"to": "ada@example.com", "order": %d}}"""));
  }

  /** Makes what jobs need. */
  void prepare() throws InterruptedException {
    api.post("/v1/queues", "{\"name\": \"orders\", \"maxSize\": 10000}");
    api.post("/v1/queues", "{\"name\": \"reports\", \"maxConcurrent\": 5}");
    api.post("/v1/queues", "{\"name\": \"emails\"}");
    api.post("/v1/url-groups", "{\"name\": \"shop\", \"baseUrl\": \"" + receiver + "\"}");
    api.post("/v1/url-groups/shop/secrets/rotate", "{}"); // from here on the group signs
  }

  /** One of each kind at once, so that everything moves; then so many in a second. */
  void start(double rate) throws InterruptedException {
    for (Kind kind : kinds) {
      enqueue(kind);
    }
    long nanos = (long) (TimeUnit.SECONDS.toNanos(1) / rate);
    ScheduledFuture<?> unused =
        beat.scheduleAtFixedRate(this::tick, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    try {
      enqueue(draw());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Api.Refused e) {
      LOG.debug("the next job comes anyway", e); // full, or stopping
    }
  }

  private Kind draw() {
    int at = random.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
    for (Kind kind : kinds) {
      at -= kind.weight;
      if (at < 0) {
        return kind;
      }
    }
    return kinds.getFirst();
  }

  private void enqueue(Kind kind) throws InterruptedException {
    count++;
    api.post("/v1/jobs", kind.job.formatted(count));
  }

  @Override
  public void close() {
    beat.shutdownNow();
  }
}
