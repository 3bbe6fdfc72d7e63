package io.sluice.server.rest;

import java.util.function.LongConsumer;

/** The body of a request, and the memory for its answer. */
final class Content {
  private byte[] body;
  private final Json json;
  private final LongConsumer answering;

  Content(byte[] body, Json json, LongConsumer answering) {
    this.body = body;
    this.json = json;
    this.answering = answering;
  }

  Json json() {
    return json;
  }

  boolean isEmpty() {
    return body.length == 0;
  }

  /** The body. A large one is let go of, since what is read of it has a copy: it can be read once. */
  byte[] take() {
    byte[] taken = body;
    if (taken.length > MemoryBudget.SMALL) {
      body = new byte[0];
    }
    return taken;
  }

  void answering(long bytes) {
    answering.accept(bytes);
  }
}
