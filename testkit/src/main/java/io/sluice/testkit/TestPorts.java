package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports on loopback that a test can rely on. A port that was just closed is none: the system may give it to the
 * next program that asks for any.
 */
public final class TestPorts {
  /** Below the ports that a system gives to programs that ask for any (from 32,768 on Linux). */
  private static final int FIRST = 15_000;

  private static final int LAST = 32_000;

  /** Processes that test at the same time begin at different ports. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % (LAST - FIRST)));

  private TestPorts() {}

  /** A port that refuses connections until it is closed: a socket holds it that does not listen. */
  public record ClosedPort(Socket holder) implements AutoCloseable {
    public int number() {
      return holder.getLocalPort();
    }

    @Override
    public void close() {
      try {
        holder.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static ClosedPort closed() {
    Socket holder = new Socket();
    try {
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return new ClosedPort(holder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A free port below the range from which the system assigns ports. No two calls give the same. */
  public static int free() {
    for (int tries = FIRST; tries < LAST; tries++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), LAST - FIRST);
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return taken.getLocalPort();
      } catch (IOException e) {
        // In use: try another.
      }
    }
    throw new IllegalStateException("no port from " + FIRST + " to " + LAST + " is free");
  }
}
