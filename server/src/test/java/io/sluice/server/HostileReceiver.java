package io.sluice.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A receiver that treats every request as badly as its kind can. */
final class HostileReceiver implements AutoCloseable {
  /** Ways to treat a caller. */
  enum Kind {
    NEVER_ANSWERS,
    BYTE_A_SECOND,
    GIGABYTE,
    GZIP_BOMB,
    ENDLESS_HEADERS,
    RESET_IN_THE_MIDDLE,
    WRONG_TLS;

    String scheme() {
      return this == WRONG_TLS ? "https" : "http";
    }
  }

  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final byte[] BOMB = bomb();

  private final Kind kind;
  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();

  HostileReceiver(Kind kind) {
    this.kind = kind;
    try {
      listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  String url() {
    return kind.scheme() + "://127.0.0.1:" + listener.getLocalPort();
  }

  /** How many callers broke off before it was done with them. */
  int refusals() {
    return refusals.get();
  }

  /** How many callers it has in its hands. */
  int open() {
    return open.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> receive(socket));
      }
    } catch (IOException e) {
      over.countDown(); // closed: the test is over
    }
  }

  private void receive(Socket socket) {
    open.incrementAndGet();
    try (socket) {
      treat(socket);
    } catch (IOException e) {
      refusals.incrementAndGet(); // the caller has had enough, as it should
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.decrementAndGet();
    }
  }

  private void treat(Socket socket) throws IOException, InterruptedException {
    socket.getInputStream().read(new byte[64]);
    OutputStream out = socket.getOutputStream();
    switch (kind) {
      case NEVER_ANSWERS -> socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      case BYTE_A_SECOND -> drip(out);
      case GIGABYTE -> gigabyte(out);
      case GZIP_BOMB -> {
        write(out, OK + "Content-Encoding: gzip\r\nContent-Length: " + BOMB.length + "\r\n\r\n");
        out.write(BOMB);
      }
      case ENDLESS_HEADERS -> headers(out);
      case RESET_IN_THE_MIDDLE -> {
        write(out, OK + "Content-Length: 10\r\n\r\nabc");
        socket.setSoLinger(true, 0);
      }
      case WRONG_TLS -> write(out, "this is no TLS at all\r\n");
    }
  }

  private void drip(OutputStream out) throws IOException, InterruptedException {
    write(out, OK + "Content-Length: 100000\r\n\r\n");
    while (!over.await(1, TimeUnit.SECONDS)) {
      write(out, "x");
    }
  }

  private static void gigabyte(OutputStream out) throws IOException {
    write(out, OK + "Content-Length: " + (1 << 30) + "\r\n\r\n");
    byte[] some = new byte[64 << 10];
    for (int left = 1 << 30; left > 0; left -= some.length) {
      out.write(some);
    }
  }

  private static void headers(OutputStream out) throws IOException {
    write(out, OK);
    for (int i = 0; i < 100_000_000; i++) {
      write(out, "X-Header-" + i + ": a\r\n");
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** A gigabyte of zeros, packed. */
  private static byte[] bomb() {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 1024; i++) {
        out.write(zeros);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  @Override
  public void close() throws IOException {
    over.countDown();
    listener.close();
    threads.shutdownNow();
  }
}
