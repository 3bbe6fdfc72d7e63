package io.sluice.memory;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the values that a snapshot is made of, each as {@link SnapshotInput} reads it. */
final class SnapshotOutput {
  /** A step of writing one item. */
  interface Step<T> {
    void write(T item) throws IOException;
  }

  private final DataOutputStream out;

  SnapshotOutput(DataOutputStream out) {
    this.out = out;
  }

  void flag(boolean value) throws IOException {
    out.writeBoolean(value);
  }

  void number(int value) throws IOException {
    out.writeInt(value);
  }

  void number(long value) throws IOException {
    out.writeLong(value);
  }

  void text(String value) throws IOException {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  void id(UUID value) throws IOException {
    out.writeLong(value.getMostSignificantBits());
    out.writeLong(value.getLeastSignificantBits());
  }

  void moment(Instant value) throws IOException {
    out.writeLong(value.getEpochSecond());
    out.writeInt(value.getNano());
  }

  void span(Duration value) throws IOException {
    out.writeLong(value.getSeconds());
    out.writeInt(value.getNano());
  }

  <T> void optional(@Nullable T value, Step<T> step) throws IOException {
    out.writeBoolean(value != null);
    if (value != null) {
      step.write(value);
    }
  }

  <T> void list(Collection<T> items, Step<T> step) throws IOException {
    out.writeInt(items.size());
    for (T item : items) {
      step.write(item);
    }
  }
}
