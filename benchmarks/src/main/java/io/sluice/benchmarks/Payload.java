package io.sluice.benchmarks;

/** What every job carries: about 200 bytes of JSON. */
record Payload(String text) {
  static final Payload ONE = new Payload("x".repeat(186));
  static final String JSON = "{\"text\":\"" + ONE.text() + "\"}";
}
