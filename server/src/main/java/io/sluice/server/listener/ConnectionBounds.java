package io.sluice.server.listener;

import java.time.Duration;

/**
 * How many connections may be open, and how long each may take.
 *
 * @param connections the most in all
 * @param perAddress the most of one client address
 * @param head the time in which a request head must be complete
 * @param body the time in which a body must be complete
 * @param idle how long a connection may wait for its next request, and its client take for an answer
 */
public record ConnectionBounds(
    int connections, int perAddress, Duration head, Duration body, Duration idle) {
  public static final ConnectionBounds DEFAULT = of(10_000, 2_000);

  /** Descriptors for files, the database and the log, whatever else the server does. */
  private static final int KEPT_DESCRIPTORS = 256;

  /** A delivery has its own connection, and an idle one may be kept beside it. */
  private static final int DESCRIPTORS_OF_A_SLOT = 2;

  /** Buffers of the web server and what else it keeps of a connection. */
  private static final long HEAP_OF_A_CONNECTION = 20L << 10;

  /** With those of TLS. */
  private static final long HEAP_OF_A_TLS_CONNECTION = 100L << 10;

  /** The part of the heap that connections may take which do nothing but wait. */
  private static final int HEAP_SHARE = 4;

  public static ConnectionBounds of(int connections, int perAddress) {
    return new ConnectionBounds(
        connections,
        perAddress,
        Duration.ofSeconds(20),
        Duration.ofSeconds(60),
        Duration.ofMinutes(2));
  }

  /**
   * The same, lowered to what a limit of descriptors leaves beside those for the database and for this many
   * deliveries; a quarter of the limit at least.
   */
  public ConnectionBounds within(long descriptors, int slots) {
    long kept = KEPT_DESCRIPTORS + (long) DESCRIPTORS_OF_A_SLOT * slots;
    return atMost(Math.max(descriptors / 4, descriptors - kept));
  }

  /** The same, lowered to what a quarter of the heap holds. */
  public ConnectionBounds withinHeap(long bytes, boolean tls) {
    return atMost(bytes / HEAP_SHARE / (tls ? HEAP_OF_A_TLS_CONNECTION : HEAP_OF_A_CONNECTION));
  }

  private ConnectionBounds atMost(long room) {
    int most = Math.clamp(room, 1, connections);
    return new ConnectionBounds(most, Math.min(perAddress, most), head, body, idle);
  }
}
