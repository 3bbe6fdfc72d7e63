package io.sluice.memory;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the values that {@link SnapshotOutput} wrote. */
final class SnapshotInput {
  /** A step of reading one item. */
  interface Step<T> {
    T read() throws IOException;
  }

  private final DataInputStream in;

  SnapshotInput(DataInputStream in) {
    this.in = in;
  }

  boolean flag() throws IOException {
    return in.readBoolean();
  }

  int number() throws IOException {
    return in.readInt();
  }

  long longNumber() throws IOException {
    return in.readLong();
  }

  String text() throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("a text of " + length + " bytes has " + bytes.length);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  UUID id() throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  Instant moment() throws IOException {
    return Instant.ofEpochSecond(in.readLong(), in.readInt());
  }

  Duration span() throws IOException {
    return Duration.ofSeconds(in.readLong(), in.readInt());
  }

  <T> @Nullable T optional(Step<T> step) throws IOException {
    return in.readBoolean() ? step.read() : null;
  }

  <T> List<T> list(Step<T> step) throws IOException {
    int size = in.readInt();
    List<T> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(step.read());
    }
    return items;
  }

  /** Refuses what follows after the last value. */
  void end() throws IOException {
    if (in.read() >= 0) {
      throw new IOException("there is more than was expected");
    }
  }
}
