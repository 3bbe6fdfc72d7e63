package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.sluice.server.Receiver.Got;
import io.sluice.server.secret.MasterKey;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The master key and a signing secret are changed while deliveries go on, to a receiver that checks the
 * credential and the signature of each. In the long tier 200 deliveries a second, otherwise a few.
 */
@Tag("slow")
class RotationUnderLoadTest {
  private static final boolean LONG = "long".equals(System.getProperty("sluice.tier"));
  private static final int AT_ONCE = LONG ? 20 : 5;
  private static final int ROUNDS = LONG ? 300 : 40;
  private static final int WAITING = LONG ? 5_000 : 300;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String TOKEN = "a-token-that-the-receiver-knows";

  @TempDir
  Path folder;

  private final AtomicInteger good = new AtomicInteger();
  private final AtomicInteger withoutToken = new AtomicInteger();
  private final AtomicInteger withoutSignature = new AtomicInteger();
  private final AtomicInteger signedByNext = new AtomicInteger();
  /** What the receiver checks with: it changes over when it likes, within the overlap. */
  private volatile String secret = EveryRow.SECRET;

  private volatile String next = "";

  private Receiver.Reply check(Got got) {
    if (!next.isEmpty() && isSigned(got, next)) {
      signedByNext.incrementAndGet();
    }
    if (!got.header("Authorization").equals("Bearer " + TOKEN)
        || !got.header("X-Api-Key").equals("own")) {
      withoutToken.incrementAndGet();
      return Receiver.Reply.of(401);
    }
    if (!isSigned(got, secret)) {
      withoutSignature.incrementAndGet();
      return Receiver.Reply.of(401);
    }
    good.incrementAndGet();
    return Receiver.Reply.of(200);
  }

  private static boolean isSigned(Got got, String secret) {
    try {
      new Webhook(secret).verify(got.body(), got.headers());
      return true;
    } catch (WebhookVerificationException | EmptyWebhookSecretException e) {
      return false;
    }
  }

  private static void enqueue(Client client, int jobs, String more) {
    String body = IntStream.range(0, jobs)
        .mapToObj(i -> "{\"urlGroup\":\"g\",\"path\":\"/in\",\"headers\":{\"X-Api-Key\":\"own\"},"
            + "\"body\":\"{}\",\"retry\":{\"maxAttempts\":1}" + more + "}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    Client.Reply reply = client.post("/v1/jobs/batch", body);
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
  }

  @Test
  void deliveries_failForNothing_whileMasterKeyAndSigningSecretChange() throws Exception {
    Path file = folder.resolve("master.key");
    Files.writeString(file, MasterKey.generate(new SecureRandom()));
    MasterKey key = MasterKey.inFile(file, Files.readString(file));
    try (Receiver receiver = new Receiver().answer("/in", this::check);
        TestServer server = TestServer.start(TestServer.newSchema(), key);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      Client admin = server.admin();
      Client.Reply group = admin.post(
          "/v1/url-groups",
          ("{\"name\":\"g\",\"baseUrl\":\"%s\",\"auth\":{\"type\":\"bearer\",\"token\":\"%s\"},"
                  + "\"signing\":{\"scheme\":\"standard-webhooks\",\"secrets\":[\"%s\"]}}")
              .formatted(receiver.url(), TOKEN, EveryRow.SECRET));
      assertThat(group.status()).as(group.raw().body()).isEqualTo(201);
      for (int i = 0; i < WAITING; i += 100) {
        enqueue(admin, 100, ",\"delay\":\"1h\"");
      }
      AtomicInteger rounds = new AtomicInteger();
      long began = System.nanoTime();
      var traffic = clock.scheduleAtFixedRate(
          () -> {
            if (rounds.get() < ROUNDS) {
              enqueue(admin, AT_ONCE, "");
              rounds.incrementAndGet();
            }
          },
          0,
          100,
          TimeUnit.MILLISECONDS);
      change(server, file);
      Eventually.await("traffic", PATIENCE, () -> rounds.get() >= ROUNDS || traffic.isDone());
      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat(traffic.isDone()).as("every enqueue was taken").isFalse();
      server.query("update {schema}.later set run_at = now()");
      int all = ROUNDS * AT_ONCE + WAITING;
      Eventually.await("all delivered", PATIENCE, () -> good.get() + bad() >= all);
      System.out.printf(
          "under load: %d deliveries in %.1f s (%.0f/s) amid a change of master key and signing secret,"
              + " and %d that waited; without credential %d, without signature %d; %s values resealed%n",
          ROUNDS * AT_ONCE,
          seconds,
          ROUNDS * AT_ONCE / seconds,
          WAITING,
          withoutToken.get(),
          withoutSignature.get(),
          admin.get("/v1/master-key").body().at("/rows/resealed"));
      assertThat(bad()).isZero();
      assertThat(good.get()).isEqualTo(all);
      assertThat(admin.get("/v1/stats").body().at("/byState/DEAD").asInt()).isZero();
    }
  }

  private int bad() {
    return withoutToken.get() + withoutSignature.get();
  }

  private void change(TestServer server, Path file) throws IOException {
    Client admin = server.admin();
    String before = Files.readString(file).strip();
    Eventually.await("some deliveries", PATIENCE, () -> good.get() > AT_ONCE);
    assertThat(admin.post("/v1/master-key/rotate", null).status()).isEqualTo(202);
    next = admin.post("/v1/url-groups/g/secrets/rotate", null).text("/secret");
    assertThat(next).startsWith("whsec_");
    Eventually.await("signed by both", PATIENCE, () -> signedByNext.get() > 0);
    // Caches of a group live for two seconds; requests on their way are signed by both from then
    // on.
    int seen = signedByNext.get();
    Eventually.await("more", PATIENCE, () -> signedByNext.get() > seen + 10 * AT_ONCE);
    secret = next;
    Eventually.await(
        "rotated",
        PATIENCE,
        () -> admin.get("/v1/master-key").text("/state").equals("idle")
            && !read(file).contains(before));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
