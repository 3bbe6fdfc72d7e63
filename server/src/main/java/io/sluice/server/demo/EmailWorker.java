package io.sluice.server.demo;

import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A worker in a program of its own, as the server sees it: it pulls jobs and says what became of them. */
final class EmailWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmailWorker.class);
  private static final double BOUNCES = 0.1;

  private final Api api;
  private final RandomGenerator random;
  private final Thread thread;

  EmailWorker(Api api, RandomGenerator random) {
    this.api = api;
    this.random = random;
    this.thread = Thread.ofVirtual().name("email-worker").unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  private void work() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        JsonNode claimed = api.post(
            "/v1/queues/emails/claim",
            "{\"worker\": \"demo-mailer\", \"max\": 5, \"leaseFor\": \"30s\", \"wait\": \"5s\"}");
        for (JsonNode item : claimed.get("items")) {
          send(item.get("lease").stringValue());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Api.Refused e) {
      // What was claimed and not reported runs again when its lease is over.
      LOG.debug("the server stops", e);
    }
  }

  private void send(String lease) throws InterruptedException {
    if (random.nextDouble() < BOUNCES) {
      api.post(
          "/v1/leases/" + lease + "/fail",
          "{\"error\": {\"message\": \"the mailbox is full\", \"class\": \"SERVER\"}}");
    } else {
      api.post("/v1/leases/" + lease + "/complete", "{\"result\": {\"sent\": true}}");
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
