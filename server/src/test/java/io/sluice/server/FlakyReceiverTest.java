package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Receiver.Reply;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A receiver that fails a fifth of its requests, lets a twentieth time out, and answers 2 % with 429 and
 * Retry-After: 2. All jobs are delivered, and the 429s hold up no others.
 */
@Tag("long")
class FlakyReceiverTest {
  private static final boolean LONG = "long".equals(System.getProperty("sluice.tier"));
  private static final int JOBS = LONG ? 500 : 100;
  /** One unlucky job decides how long all take, so there are several takings. */
  private static final int TAKINGS = LONG ? 5 : 1;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private SplittableRandom random = new SplittableRandom(0);
  private final CountDownLatch end = new CountDownLatch(1);

  private synchronized int draw() {
    return random.nextInt(100);
  }

  private Reply reply(int busy) {
    int drawn = draw();
    if (drawn < busy) {
      return Reply.of(429).with("Retry-After", "2");
    }
    if (drawn < busy + 5) {
      hang();
      return Reply.of(200);
    }
    return Reply.of(drawn < busy + 25 ? 500 : 200);
  }

  private void hang() {
    try {
      end.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long completed(Rig rig, String group) {
    return Expect.ok(200, rig.admin.get("/v1/url-groups/" + group + "/metrics"))
        .at("/jobs/COMPLETED")
        .asLong();
  }

  private synchronized void shuffle(int seed) {
    random = new SplittableRandom(seed);
  }

  private double seconds(Rig rig, String group, int busy) {
    rig.receiver.answer("/" + group, got -> reply(busy));
    rig.group(group, "");
    String job = ("{\"urlGroup\":\"%s\",\"path\":\"/%s\",\"timeout\":\"2s\",\"retry\":"
            + "{\"maxAttempts\":50,\"initialDelay\":\"500ms\",\"multiplier\":1}}")
        .formatted(group, group);
    long begun = System.nanoTime();
    Expect.ok(
        201,
        rig.admin.post(
            "/v1/jobs/batch",
            "{\"jobs\":[" + String.join(",", Collections.nCopies(JOBS, job)) + "]}"));
    Eventually.await("all are delivered", PATIENCE, () -> completed(rig, group) == JOBS);
    return (System.nanoTime() - begun) / 1e9;
  }

  @Test
  void all_areDelivered_andNo429HoldsUpOthers() {
    try (Rig rig = new Rig()) {
      double[] ratios = new double[TAKINGS];
      for (int seed = 0; seed < TAKINGS; seed++) {
        ratios[seed] = ratio(rig, seed);
      }
      end.countDown();
      Arrays.sort(ratios);
      System.out.printf("median of %d: %.2f times%n", TAKINGS, ratios[TAKINGS / 2]);
    }
  }

  private double ratio(Rig rig, int seed) {
    shuffle(seed);
    double without = seconds(rig, "without-" + seed, 0);
    shuffle(seed);
    String group = "with-" + seed;
    double with = seconds(rig, group, 2);
    System.out.printf(
        "%d jobs to a flaky receiver: %.1f s without 429s, %.1f s with 2 %% of them (%.2f times), %d requests%n",
        JOBS, without, with, with / without, rig.receiver.got("/" + group).size());
    assertThat(Expect.ok(200, rig.admin.get("/v1/url-groups/" + group + "/circuit-breaker"))
            .path("heldUntil")
            .isNull())
        .as("the group was never held")
        .isTrue();
    return with / without;
  }
}
