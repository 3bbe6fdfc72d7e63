package io.sluice.server.listener;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** One open connection: whose it is, what it is doing, and since when. */
final class ClientConnection {
  /** How long a connection that was asked to end may still write its last answer. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /** What a connection is doing. */
  enum Stage {
    /** Its TLS handshake or a request head is under way. */
    HEAD,
    /** A body is under way. */
    BODY,
    /** A request is being served. */
    SERVED,
    /** Its answer is being sent, as fast as the client takes it. */
    ANSWERED,
    /** Nothing: the next request has not begun. */
    IDLE,
    /** Its last answer is sent, and the rest of what the client sends is dropped. */
    CLOSING;

    /** True when the server waits for the client. */
    boolean waits() {
      return this != SERVED;
    }
  }

  /** A stage, and since when. */
  record Doing(Stage stage, long since) {}

  /** Both ends of a connection, which nothing else has while it is open. */
  record Ends(SocketAddress remote, SocketAddress local) {}

  final Ends ends;
  final ClientAddress address;
  private final SocketChannel channel;
  private final LongSupplier nanoTime;
  /** In one piece: a stage with the time of another could look late. */
  private final AtomicReference<Doing> doing;

  private volatile boolean listening;
  private volatile boolean late;

  ClientConnection(Ends ends, ClientAddress address, SocketChannel channel, LongSupplier nanoTime) {
    this.ends = ends;
    this.address = address;
    this.channel = channel;
    this.nanoTime = nanoTime;
    this.doing = new AtomicReference<>(new Doing(Stage.HEAD, nanoTime.getAsLong()));
  }

  /** Somebody reads from the connection who can answer that it is late. */
  void listening() {
    listening = true;
  }

  void at(Stage next) {
    doing.set(new Doing(next, nanoTime.getAsLong()));
  }

  /** Goes on where it was before it wrote something: a body's time is not renewed by 100-continue. */
  void back(Doing before) {
    doing.set(before);
  }

  Doing doing() {
    return doing.get();
  }

  /** True when its time was over and it was therefore cut off from its client. */
  boolean isLate() {
    return late;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Ends the connection when it takes longer than it may. */
  void endWhenLate(ConnectionBounds bounds) {
    Doing now = doing.get();
    long time = nanoTime.getAsLong();
    long took = time - now.since;
    if (now.stage == Stage.SERVED || took < allowed(now.stage, bounds).toNanos()) {
      return;
    }
    if (late || !listening || now.stage == Stage.ANSWERED) {
      close();
    } else if (doing.compareAndSet(now, new Doing(now.stage, time))) {
      late = true;
      stopInput();
    }
  }

  private Duration allowed(Stage now, ConnectionBounds bounds) {
    if (late) {
      return LAST_WORDS;
    }
    return switch (now) {
      case HEAD -> bounds.head();
      case BODY -> bounds.body();
      case IDLE, ANSWERED -> bounds.idle();
      case SERVED, CLOSING -> LAST_WORDS;
    };
  }

  /** Wakes the reader with the end of its input, so that it can still answer. */
  private void stopInput() {
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      close();
    }
  }

  /** Lets the client see that no more comes, while what it sends is still taken. */
  void stopOutput() {
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      close();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
