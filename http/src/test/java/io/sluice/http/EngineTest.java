package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.Event;
import io.sluice.JacksonCodec;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import io.sluice.Sluice;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Heard;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Delivery on a real engine. */
class EngineTest {
  private final MemoryStore store = MemoryStore.create();
  private final Heard heard = new Heard();
  private final Desk desk = new Desk();
  private final Sluice producer = Sluice.builder(store).keepStoreOpen().build().start();
  private final Callbacks callbacks = new Callbacks(producer::enqueue);
  private final Sluice engine = Sluice.builder(store)
      .keepStoreOpen()
      .poll(Duration.ofMillis(50))
      .listener(heard)
      .handler(new Deliverer(
              desk.client,
              (tenant, name) -> Optional.ofNullable(desk.groups.get(name)),
              desk.tokens,
              callbacks,
              InstantSource.system(),
              "1")
          .type())
      .build()
      .start();

  @AfterEach
  void close() {
    desk.close();
    engine.stop(Duration.ZERO);
    producer.close();
    store.close();
  }

  private JobRecord await(UUID job, JobState state) {
    Eventually.await(job + " is " + state, () -> find(job).state() == state);
    return find(job);
  }

  private JobRecord find(UUID job) {
    return engine.find(job).orElseThrow();
  }

  private Receiver receiver(Receiver.Script script) {
    return desk.closing(Receiver.answering(script));
  }

  @Test
  void job_isDelivered_andItsResultKept() {
    Receiver receiver = receiver(request -> Receiver.ok("hello"));

    UUID job = engine
        .enqueue(Jobs.raw("http", "{\"url\":\"" + receiver.url("/") + "\",\"body\":{\"n\":1.10}}"))
        .id();

    JobRecord done = await(job, JobState.COMPLETED);
    HttpResult result = new JacksonCodec().decode(done.status().result(), HttpResult.class);
    assertThat(result.status()).isEqualTo(200);
    assertThat(result.body()).isEqualTo("hello");
    assertThat(receiver.only().body()).isEqualTo("{\"n\":1.10}");
    assertThat(receiver.only().header("sluice-job-id")).isEqualTo(job.toString());
    assertThat(receiver.only().header("sluice-attempt")).isEqualTo("1");
  }

  @Test
  void retryAfter_setsTheTimeOfTheNextAttempt_beyondThePolicysLongestDelay() {
    Receiver receiver = receiver(request -> Receiver.answer(429, "Retry-After: 3600\r\n", "slow"));

    UUID job = engine.enqueue(Jobs.of("http", HttpCall.to(receiver.url("/")))).id();

    JobRecord waiting = await(job, JobState.RETRYING);
    assertThat(waiting.status().runAt()).isAfter(waiting.createdAt().plus(Duration.ofMinutes(50)));
    assertThat(waiting.status().errors().getFirst()).satisfies(error -> {
      assertThat(error.errorClass()).isEqualTo(ErrorClass.RATE_LIMITED);
      assertThat(error.code()).isEqualTo("HTTP_429");
      assertThat(error.status()).isEqualTo(429);
      assertThat(error.responseBody()).isEqualTo("slow");
    });
  }

  @Test
  void policyOfTheGroup_decides_byClass() {
    AtomicInteger requests = new AtomicInteger();
    Receiver receiver = receiver(
        request -> requests.incrementAndGet() < 3 ? Receiver.answer(404, "", "") : Receiver.ok(""));
    RetryPolicy atOnce = Defaults.RETRY.withStrategy(RetryStrategy.IMMEDIATE);
    desk.groups.put(
        "shop",
        Group.of("shop", receiver.url(""))
            .withRetry(atOnce.on(ErrorClass.NOT_FOUND, policy -> policy), Map.of()));

    UUID job =
        engine.enqueue(Jobs.of("http", HttpCall.toPath("/")).urlGroup("shop")).id();

    assertThat(await(job, JobState.COMPLETED).attempt()).isEqualTo(3);
  }

  @Test
  void refusedAddress_isDeadAtOnce() {
    UUID job =
        engine.enqueue(Jobs.of("http", HttpCall.to("http://169.254.169.254/"))).id();

    JobRecord dead = await(job, JobState.DEAD);
    assertThat(dead.attempt()).isEqualTo(1);
    assertThat(dead.status().errors().getFirst().code()).isEqualTo("ADDRESS_REFUSED");
  }

  @Test
  void receiverThatNeverAnswers_isATimeout_keptWithTheJob() {
    Receiver receiver =
        desk.closing(Receiver.raw(socket -> socket.getInputStream().readAllBytes()));

    UUID job = engine
        .enqueue(Jobs.of("http", HttpCall.to(receiver.url("/")))
            .timeout(Duration.ofMillis(600))
            .maxAttempts(1))
        .id();

    // Which of the two limits comes first is not said: this machine may be busy.
    JobError error = await(job, JobState.DEAD).status().errors().getFirst();
    assertThat(error.errorClass()).isEqualTo(ErrorClass.TIMEOUT);
    assertThat(error.code()).isIn("RESPONSE_TIMEOUT", "MESSAGE_TIMEOUT");
  }

  @Test
  void cancel_endsTheRequest() {
    CountDownLatch hungUp = new CountDownLatch(1);
    Receiver receiver = desk.closing(Receiver.raw(socket -> {
      try {
        while (socket.getInputStream().read() >= 0) {}
      } finally {
        hungUp.countDown();
      }
    }));
    UUID job = engine
        .enqueue(Jobs.of("http", HttpCall.to(receiver.url("/"))).timeout(Duration.ofHours(1)))
        .id();
    Eventually.await("the request is made", () -> receiver.connections() == 1);

    engine.cancel(job);

    Eventually.await("the connection is closed", () -> hungUp.getCount() == 0);
    assertThat(find(job).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void callback_isAJobOfItsOwn_madeOnce() {
    Receiver receiver = receiver(request -> Receiver.answer(200, "X-A: b\r\n", "pong"));
    Receiver listener = receiver(request -> Receiver.ok(""));
    HttpCall call =
        HttpCall.to(receiver.url("/")).withCallbacks(listener.url("/ok"), listener.url("/failed"));

    UUID job = engine.enqueue(Jobs.of("http", call)).id();

    await(job, JobState.COMPLETED);
    Eventually.await("the callback came", () -> listener.requests().size() == 1);
    Receiver.Request callback = listener.only();
    assertThat(callback.target()).isEqualTo("/ok");
    assertThat(callback.header("content-type")).isEqualTo("application/json");
    assertThat(callback.body())
        .startsWith("{\"jobId\":\"" + job + "\",\"queue\":\"default\",\"state\":\"COMPLETED\","
            + "\"attempt\":1,\"status\":200,\"headers\":{\"x-a\":\"b\"")
        .endsWith("\"body\":\"pong\",\"error\":null}");
    assertThat(engine
            .page(
                JobFilter.all().withIdempotencyKey(Callbacks.RESERVED + "callback:" + job),
                null,
                10)
            .items())
        .hasSize(1);
  }

  @Test
  void failureCallback_isMadeOnce_howeverOftenItIsAskedFor_andAgainAfterAReplay() {
    Receiver receiver = receiver(request -> Receiver.answer(400, "", "no"));
    Receiver listener = receiver(request -> Receiver.ok(""));
    HttpCall call = HttpCall.to(receiver.url("/")).withCallbacks(null, listener.url("/failed"));
    UUID job = engine.enqueue(Jobs.of("http", call)).id();
    JobRecord dead = await(job, JobState.DEAD);

    assertThat(callbacks.failure(dead)).isTrue();
    assertThat(callbacks.failure(dead)).isTrue();

    assertThat(engine.page(JobFilter.all(), null, 10).items()).hasSize(2);
    Eventually.await("the callback came", () -> listener.requests().size() == 1);
    assertThat(listener.only().body())
        .contains(
            "\"jobId\":\"" + job + "\"", "\"state\":\"DEAD\"", "\"status\":400", "\"body\":\"no\"")
        .contains("\"class\":\"VALIDATION\",\"code\":\"HTTP_400\"");
    assertThat(engine.replay(job)).isTrue();
    Eventually.await(
        "it is dead again", () -> heard.details(job, Event.Kind.DEAD).size() == 2);
    assertThat(callbacks.failure(find(job))).isTrue();
    Eventually.await("another callback came", () -> listener.requests().size() == 2);
  }

  @Test
  void noFailureCallback_forJobsThatHaveNone_orAreNotOver() {
    Receiver receiver = receiver(request -> Receiver.ok(""));
    UUID job = engine.enqueue(Jobs.of("http", HttpCall.to(receiver.url("/")))).id();
    UUID other =
        engine.enqueue(Jobs.raw("mail", "{\"failureCallbackUrl\":\"x\"}")).id();

    assertThat(callbacks.failure(await(job, JobState.COMPLETED))).isFalse();
    assertThat(callbacks.failure(find(other))).isFalse();
  }
}
