package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import io.sluice.testkit.Eventually;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Receivers that mean harm, or are broken as if they did. Each attempt ends by its own time limit. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileTest {
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private final Desk desk = new Desk();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void close() {
    over.countDown();
    desk.close();
  }

  /** A receiver that reads the request before it misbehaves. */
  private Receiver receiver(Receiver.Conduct conduct) {
    return desk.closing(Receiver.raw(socket -> {
      Receiver.read(new BufferedInputStream(socket.getInputStream()));
      conduct.with(socket);
    }));
  }

  private AttemptFailure failure(Receiver receiver) {
    return desk.failed(Desk.job(HttpCall.to(receiver.url("/")), ""), SHORT);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private void hang() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits between two drops; true when the test is over. */
  private boolean pause() {
    try {
      return over.await(20, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void drip(Socket socket, String drop) throws IOException {
    while (!pause()) {
      write(socket, drop);
    }
  }

  private static void assertTimedOut(AttemptFailure failure) {
    assertThat(failure.code()).isEqualTo("RESPONSE_TIMEOUT");
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.TIMEOUT);
  }

  @Test
  void receiverThatNeverAnswers_isATimeout() {
    assertTimedOut(failure(receiver(socket -> hang())));
  }

  @Test
  void receiverThatNeverReads_isATimeout() {
    Receiver deaf = desk.closing(Receiver.raw(socket -> hang()));
    HttpCall call = HttpCall.to(deaf.url("/")).withBytes(new byte[8 << 20]);

    assertTimedOut(desk.failed(Desk.job(call, ""), SHORT));
  }

  @Test
  void headersInDrops_areATimeout() {
    assertTimedOut(failure(receiver(socket -> {
      write(socket, OK + "X-A: ");
      drip(socket, "a");
    })));
  }

  @Test
  void informationWithoutEnd_isATimeout() {
    assertTimedOut(failure(receiver(socket -> drip(socket, "HTTP/1.1 102 Wait\r\n\r\n"))));
  }

  @Test
  void bodyInDrops_isATimeout_howeverWellItBegan() {
    assertTimedOut(failure(receiver(socket -> {
      write(socket, OK + "Content-Length: 100000\r\n\r\n");
      drip(socket, "a");
    })));
  }

  @Test
  void failureWhoseBodyDrips_isStillThatFailure_withWhatCameOfIt() {
    AttemptFailure failure = failure(receiver(socket -> {
      write(socket, "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nso");
      hang();
    }));

    assertThat(failure.code()).isEqualTo("HTTP_503");
    assertThat(failure.responseBody()).hasValue("so");
    assertThat(failure.retry()).isPresent();
  }

  @Test
  void bodyWithoutEnd_isASuccess_onceEnoughIsKept_andIsCutOff() throws Exception {
    AtomicLong written = new AtomicLong(-1);
    Receiver receiver = receiver(socket -> {
      write(socket, OK + "Transfer-Encoding: chunked\r\n\r\n");
      written.set(0);
      byte[] chunk =
          ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      OutputStream out = socket.getOutputStream();
      try {
        while (written.get() < 1L << 30) {
          out.write(chunk);
          written.addAndGet(chunk.length);
        }
      } finally {
        written.updateAndGet(bytes -> -bytes - 2);
      }
    });

    assertThat(desk.done(HttpCall.to(receiver.url("/"))).body())
        .hasSize(16 << 10)
        .matches("x+");

    Eventually.await("the receiver is reset", () -> written.get() < -1);
    assertThat(-written.get()).as("bytes that the receiver got rid of").isLessThan(64 << 20);
  }

  @Test
  void declaredGzipBomb_isNotUnpacked() throws Exception {
    Receiver receiver = receiver(socket -> write(
        socket, OK + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u001f\u008b\b\u0000"));

    assertThat(desk.done(HttpCall.to(receiver.url("/"))).body()).isNull();
  }

  @Test
  void answersThatAreNotHttp_areFailuresOfTheServer() {
    Map<String, Receiver.Conduct> conducts = Map.of(
        "headers without end",
            socket -> {
              write(socket, OK);
              for (int i = 0; i < 1_000_000; i++) {
                write(socket, "X-" + i + ": a\r\n");
              }
            },
        "a header without end",
            socket -> {
              write(socket, OK + "X-A: ");
              for (int i = 0; i < 100_000; i++) {
                write(socket, "a".repeat(1000));
              }
            },
        "a status line without end",
            socket -> {
              for (int i = 0; i < 100_000; i++) {
                write(socket, "H".repeat(1000));
              }
            },
        "another protocol", socket -> write(socket, "-ERR unknown command\r\n".repeat(50)),
        "a later HTTP", socket -> write(socket, "HTTP/2.0 200 OK\r\n\r\n"),
        "a bad length", socket -> write(socket, OK + "Content-Length: x\r\n\r\n"),
        "a bad chunk", socket -> write(socket, OK + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"));
    conducts.forEach((what, conduct) -> {
      AttemptFailure failure = desk.failed(HttpCall.to(receiver(conduct).url("/")));
      assertThat(failure.code()).as(what).isEqualTo("BAD_RESPONSE");
      assertThat(failure.errorClass()).as(what).isEqualTo(ErrorClass.SERVER);
    });
  }

  @Test
  void brokenConnections_areFailuresOfTheNetwork() {
    Map<String, Receiver.Conduct> conducts = Map.of(
        "at once", socket -> {},
        "with a reset", Cutoff::abort,
        "in the headers", socket -> write(socket, OK + "X-A: b"),
        "in the body", socket -> write(socket, OK + "Content-Length: 10\r\n\r\nabc"),
        "in a chunk", socket -> write(socket, OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"),
        "after a chunk",
            socket -> write(socket, OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
        "with a reset in the body",
            socket -> {
              write(socket, OK + "Content-Length: 10\r\n\r\nabc");
              Cutoff.abort(socket);
            });
    conducts.forEach((what, conduct) -> {
      AttemptFailure failure = desk.failed(HttpCall.to(receiver(conduct).url("/")));
      assertThat(failure.code()).as(what).isEqualTo("CONNECTION_LOST");
      assertThat(failure.errorClass()).as(what).isEqualTo(ErrorClass.NETWORK);
    });
  }

  @Test
  void refusalBeforeTheBodyWasRead_isHeard() {
    Receiver receiver = desk.closing(Receiver.raw(socket -> {
      write(socket, "HTTP/1.1 413 Too large\r\nContent-Length: 3\r\n\r\nbig");
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }));

    AttemptFailure failure =
        desk.failed(HttpCall.to(receiver.url("/")).withBytes(new byte[8 << 20]));

    assertThat(failure.code()).isEqualTo("HTTP_413");
    assertThat(failure.responseBody()).hasValue("big");
  }

  @Test
  void interrupt_endsARequestAtOnce() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    Receiver receiver = receiver(socket -> {
      reached.countDown();
      hang();
    });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> attempt = threads.submit(
          () -> desk.deliver(Desk.job(HttpCall.to(receiver.url("/")), ""), Duration.ofHours(1)));
      assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();

      threads.shutdownNow();

      Eventually.await("the request has ended", attempt::isDone);
      assertThat(attempt.exceptionNow()).isInstanceOf(InterruptedException.class);
    }
  }

  /** The size: a hundred at once, of every kind, and the heap stays as it was. */
  @Test
  @Tag("long")
  void hundredHostileReceiversAtOnce_endByTheirTime_andLeaveNothingBehind() throws Exception {
    List<Receiver> receivers = List.of(
        receiver(socket -> hang()),
        receiver(socket -> drip(socket, OK)),
        receiver(socket -> {
          write(socket, OK + "Transfer-Encoding: chunked\r\n\r\n");
          drip(socket, "1\r\na\r\n");
        }),
        receiver(socket -> {
          write(socket, OK);
          drip(socket, "X: " + "a".repeat(8000) + "\r\n");
        }),
        receiver(socket -> {
          write(socket, "HTTP/1.1 500 x\r\nContent-Length: 9999999999\r\n\r\n");
          drip(socket, "x".repeat(1000));
        }));
    for (int round = 0; round < 2; round++) {
      storm(receivers);
    }
    long before = usedHeap();
    for (int round = 0; round < 10; round++) {
      storm(receivers);
    }
    assertThat(usedHeap() - before).as("growth of the heap").isLessThan(16 << 20);
  }

  private void storm(List<Receiver> receivers) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<AttemptFailure>> attempts = IntStream.range(0, 100)
          .mapToObj(i -> threads.submit(() -> desk.failed(
              Desk.job(HttpCall.to(receivers.get(i % receivers.size()).url("/")), ""),
              Duration.ofSeconds(2))))
          .toList();
      for (Future<AttemptFailure> attempt : attempts) {
        assertThat(attempt.get(30, TimeUnit.SECONDS).errorClass().isRetried()).isTrue();
      }
    }
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
