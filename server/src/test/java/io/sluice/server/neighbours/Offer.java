package io.sluice.server.neighbours;

import org.jspecify.annotations.Nullable;

/** A delivery that the victim offers, and what became of it. */
final class Offer {
  private final String phase;
  private final long at;
  private volatile boolean accepted;
  private volatile @Nullable String refusal;
  private volatile long received;

  /**
   * @param at when it was due to be enqueued, by {@link System#nanoTime}: a late caller does not look fast
   */
  Offer(String phase, long at) {
    this.phase = phase;
    this.at = at;
  }

  String phase() {
    return phase;
  }

  long at() {
    return at;
  }

  /** The server answered 2xx: it has to deliver. */
  void accept() {
    accepted = true;
  }

  void refuse(String reason) {
    refusal = reason;
  }

  synchronized void receive(long now) {
    if (received == 0) {
      received = now;
    }
  }

  boolean isDelivered() {
    return received != 0;
  }

  boolean isOwed() {
    return accepted && !isDelivered();
  }

  /** True until the server has answered or the call has failed. */
  boolean isUnderWay() {
    return !accepted && refusal == null;
  }

  @Nullable
  String refusal() {
    return refusal;
  }

  /** The time from enqueue to the first receipt, in milliseconds. */
  double millis() {
    return (received - at) / 1e6;
  }
}
