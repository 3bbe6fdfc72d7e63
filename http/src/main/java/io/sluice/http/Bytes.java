package io.sluice.http;

import java.util.Arrays;

/** Bytes that nobody changes any more: what is sent or what came back. */
public final class Bytes {
  static final Bytes NONE = new Bytes(new byte[0]);

  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /** The first of these bytes, which are not touched afterwards. */
  static Bytes first(int length, byte[] bytes) {
    return new Bytes(Arrays.copyOf(bytes, length));
  }

  public int length() {
    return bytes.length;
  }

  /** A copy of them. */
  public byte[] toArray() {
    return bytes.clone();
  }

  /** Themselves, for reading. */
  byte[] raw() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes same && Arrays.equals(bytes, same.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
