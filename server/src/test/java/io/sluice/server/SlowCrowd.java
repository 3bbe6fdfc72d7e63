package io.sluice.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Slow clients in a process of their own: each begins a request and sends a byte of it on request. One
 * that the server has closed is opened again.
 */
public final class SlowCrowd implements AutoCloseable {
  private static final byte[] BEGIN =
      "GET /v1/jobs HTTP/1.1\r\nHost: x\r\nX-A: ".getBytes(StandardCharsets.US_ASCII);

  private final Process process;
  private final BufferedReader out;

  private SlowCrowd(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.US_ASCII);
  }

  /** Starts this many clients of one server, with these addresses in turn. */
  public static SlowCrowd start(int port, int clients, List<String> addresses) {
    List<String> line = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        SlowCrowd.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
        SlowCrowd.class.getName(),
        String.valueOf(port),
        String.valueOf(clients)));
    line.addAll(addresses);
    try {
      return new SlowCrowd(new ProcessBuilder(line)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many of its clients the server had not closed, once all have sent a byte more or come back. */
  public int drip() {
    try {
      process.outputWriter(StandardCharsets.US_ASCII).append("drip\n").flush();
      return awaitCount();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until all have come, and returns how many that were. */
  public int awaitCount() {
    try {
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("the crowd ended");
      }
      return Integer.parseInt(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    SocketChannel[] clients = new SocketChannel[Integer.parseInt(arguments[1])];
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    do {
      int alive = 0;
      for (int i = 0; i < clients.length; i++) {
        boolean there = clients[i] != null && send(clients[i], new byte[] {'a'});
        alive += there ? 1 : 0;
        if (!there) {
          clients[i] = open(arguments[2 + i % (arguments.length - 2)], port);
        }
      }
      out.println(alive);
    } while (in.readLine() != null);
  }

  private static SocketChannel open(String address, int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.bind(new InetSocketAddress(address, 0));
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    send(channel, BEGIN);
    return channel;
  }

  private static boolean send(SocketChannel channel, byte[] bytes) {
    try {
      channel.write(ByteBuffer.wrap(bytes));
      return true;
    } catch (IOException e) {
      try {
        channel.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      return false;
    }
  }
}
