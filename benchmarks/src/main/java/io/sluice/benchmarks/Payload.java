package io.sluice.benchmarks;

/** What every job carries: about 200 bytes of JSON. */
public record Payload(String text) {
  public static final Payload ONE = new Payload("x".repeat(186));
  static final String JSON = "{\"text\":\"" + ONE.text() + "\"}";
}
