package io.sluice.server.neighbours;

import io.sluice.server.Client;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tenant that makes an attack from an address of its own, until it is stopped. It counts the answers that it gets. */
final class Attacker {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern CODE = Pattern.compile("\"code\" *: *\"([A-Z_]+)\"");

  /** A part of an attack, done again and again. */
  interface Step {
    void run() throws Exception;
  }

  /** An answer; its status is 0 where none came. */
  record Got(int status, String body) {
    private static final Got NOTHING = new Got(0, "");
  }

  private final TestTenant tenant;
  private final String address;
  private final HttpClient http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final ConcurrentMap<String, Integer> answers = new ConcurrentHashMap<>();
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

  private Attacker(TestTenant tenant, String address) throws UnknownHostException {
    this.tenant = tenant;
    this.address = address;
    this.http = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .localAddress(InetAddress.getByName(address))
        .build();
  }

  static Attacker start(Attack attack, TestTenant tenant, String address)
      throws UnknownHostException {
    Attacker attacker = new Attacker(tenant, address);
    attacker.repeat(1, 1, () -> attack.run(attacker));
    return attacker;
  }

  /** Begins so many callers that do the same, one time after the other and each at most so many times. */
  void repeat(int callers, int most, Step step) {
    for (int i = 0; i < callers; i++) {
      threads.execute(() -> {
        try {
          for (int times = 0; times < most && goesOn(); times++) {
            step.run();
          }
        } catch (Exception e) {
          if (goesOn()) {
            failures.add(e);
          }
        }
      });
    }
  }

  boolean goesOn() {
    return stopped.getCount() > 0;
  }

  /** Waits for this long, or until the attack is to end: then it returns false. */
  boolean pause(Duration time) throws InterruptedException {
    return !stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  TestTenant tenant() {
    return tenant;
  }

  Got post(Role role, String path, String json) {
    return post(role, path, json.getBytes(StandardCharsets.UTF_8));
  }

  Got post(Role role, String path, byte[] json) {
    return send(role, path, HttpRequest.BodyPublishers.ofByteArray(json), "POST", true);
  }

  /** Asks and counts the answer; a success is not kept. */
  Got get(Role role, String path) {
    return send(role, path, HttpRequest.BodyPublishers.noBody(), "GET", false);
  }

  private Got send(
      Role role, String path, HttpRequest.BodyPublisher body, String method, boolean keeps) {
    Client client = tenant.as(role);
    HttpRequest request = HttpRequest.newBuilder(URI.create(client.address() + path))
        .header("Authorization", "Bearer " + client.key())
        .timeout(PATIENCE)
        .method(method, body)
        .build();
    try {
      HttpResponse<String> answer = http.send(
          request,
          head -> keeps || head.statusCode() >= 400
              ? HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8)
              : HttpResponse.BodySubscribers.replacing(""));
      countAnswer(answer.statusCode(), answer.body());
      return new Got(answer.statusCode(), answer.body());
    } catch (IOException e) {
      if (goesOn()) {
        count("no answer");
      }
      return Got.NOTHING;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Got.NOTHING;
    }
  }

  /** A connection to the server from this attacker's address. */
  Socket connect() throws IOException {
    URI server = URI.create(tenant.admin().address());
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(address, 0));
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), 10_000);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void countAnswer(int status, String body) {
    Matcher code = CODE.matcher(status >= 400 ? body : "");
    count(code.find() ? status + " " + code.group(1) : String.valueOf(status));
  }

  void count(String answer) {
    count(answer, 1);
  }

  void count(String answer, int times) {
    answers.merge(answer, times, Integer::sum);
  }

  Map<String, Integer> answers() {
    return answers;
  }

  /** Has the attack end and waits until it has; fails where it broke by itself and so was none. */
  void stop() throws Exception {
    stopped.countDown();
    threads.shutdownNow();
    if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("an attack does not end");
    }
    http.shutdownNow();
    if (!failures.isEmpty()) {
      throw failures.element();
    }
  }
}
