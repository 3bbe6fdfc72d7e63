package io.sluice;

/** Turns payloads and results into JSON text and back. */
public interface Codec {
  String encode(Object value);

  <T> T decode(String json, Class<T> type);
}
