package io.sluice.server.neighbours;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Target;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A tenant that offers deliveries at an even rate, whatever its neighbours do, and receives them. Half of them go to a URL
 * group that is health-checked and holds jobs while it fails, a tenth to names that nobody has looked up before.
 */
final class Victim implements AutoCloseable {
  private static final int PER_SECOND = 50;
  private static final long GAP = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
  private static final int NEW_NAME_EVERY = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String PATH = "/v/";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentSkipListMap<Integer, Offer> offers = new ConcurrentSkipListMap<>();
  private final AtomicInteger checks = new AtomicInteger();
  private final Target target = new Target(this::receive);
  private final Client producer;
  private int next;

  Victim(Client admin) {
    TestTenant tenant = TestTenant.make(admin, "victim");
    Expect.ok(201, tenant.as(Role.OPERATOR).post("/v1/url-groups", """
        {"name": "shop", "baseUrl": "%s", "healthCheck":
          {"endpoint": "/health", "interval": "2s", "timeout": "2s", "holdJobs": true}}
        """.formatted(target.url())));
    this.producer = tenant.as(Role.PRODUCER);
  }

  private int receive(String path) {
    if (path.startsWith(PATH)) {
      int number = Integer.parseInt(path.substring(PATH.length()));
      offers.get(number).receive(System.nanoTime());
    } else {
      checks.incrementAndGet();
    }
    return 200;
  }

  /** Offers deliveries for this long. None waits for the answer to the one before. */
  void offer(String phase, Duration time) {
    long start = System.nanoTime();
    long count = PER_SECOND * time.toSeconds();
    for (int i = 0; i < count; i++) {
      long due = start + i * GAP;
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      Offer offer = new Offer(phase, due);
      int number = next++;
      offers.put(number, offer);
      threads.execute(() -> enqueue(number, offer));
    }
  }

  private void enqueue(int number, Offer offer) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(producer.address() + "/v1/jobs"))
        .header("Authorization", "Bearer " + producer.key())
        .timeout(Duration.ofSeconds(60))
        .POST(HttpRequest.BodyPublishers.ofString(job(number)))
        .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 == 2) {
        offer.accept();
      } else {
        offer.refuse(answer.statusCode() + " " + answer.body());
      }
    } catch (IOException e) {
      offer.refuse(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      offer.refuse("interrupted");
    }
  }

  private String job(int number) {
    String path = PATH + number;
    if (number % NEW_NAME_EVERY == 0) {
      String name = "n" + number + SilentNames.KNOWN;
      return "{\"url\": \"" + target.url().replace("127.0.0.1", name) + path + "\"}";
    }
    return number % 2 == 0
        ? "{\"url\": \"" + target.url() + path + "\"}"
        : "{\"urlGroup\": \"shop\", \"path\": \"" + path + "\"}";
  }

  /** Waits until all that was accepted is delivered, for some minutes at most, or until it is of no use. */
  void awaitDeliveries(BooleanSupplier useless) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Eventually.await(
        "deliveries",
        PATIENCE.multipliedBy(2),
        () -> useless.getAsBoolean()
            || System.nanoTime() - end > 0
            || offers.values().stream().noneMatch(offer -> offer.isUnderWay() || offer.isOwed()));
  }

  List<Offer> offers(String phase) {
    return offers.values().stream().filter(offer -> offer.phase().equals(phase)).toList();
  }

  List<Offer> offers() {
    return List.copyOf(offers.values());
  }

  /** How many health checks have come. */
  int checks() {
    return checks.get();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
    http.close();
    target.close();
  }
}
