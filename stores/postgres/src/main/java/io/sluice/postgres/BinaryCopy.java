package io.sluice.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** A writer of PostgreSQL's binary COPY format: a header, rows of length-prefixed fields, an end. */
final class BinaryCopy implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0
  };
  private static final long EPOCH_SECOND = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

  private final CopyIn target;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

  BinaryCopy(PGConnection connection, String statement) throws SQLException {
    target = connection.getCopyAPI().copyIn(statement);
    buffer.put(SIGNATURE).putInt(0).putInt(0);
  }

  /** Begins a row of so many fields. */
  void row(int fields) throws SQLException {
    room(Short.BYTES).putShort((short) fields);
  }

  void int2(short value) throws SQLException {
    field(Short.BYTES).putShort(value);
  }

  void int4(int value) throws SQLException {
    field(Integer.BYTES).putInt(value);
  }

  void int4OrNull(@Nullable Integer value) throws SQLException {
    if (value == null) {
      nothing();
    } else {
      int4(value);
    }
  }

  void int8(@Nullable Long value) throws SQLException {
    if (value == null) {
      nothing();
    } else {
      field(Long.BYTES).putLong(value);
    }
  }

  void uuid(UUID value) throws SQLException {
    field(2 * Long.BYTES)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits());
  }

  void uuidOrNull(@Nullable UUID value) throws SQLException {
    if (value == null) {
      nothing();
    } else {
      uuid(value);
    }
  }

  void int2OrNull(@Nullable Short value) throws SQLException {
    if (value == null) {
      nothing();
    } else {
      int2(value);
    }
  }

  void bool(boolean value) throws SQLException {
    field(1).put((byte) (value ? 1 : 0));
  }

  /** The moment after all others. */
  void never() throws SQLException {
    field(Long.BYTES).putLong(Long.MAX_VALUE);
  }

  void time(@Nullable Instant value) throws SQLException {
    if (value == null) {
      nothing();
      return;
    }
    Instant time = Times.bounded(value);
    field(Long.BYTES)
        .putLong((time.getEpochSecond() - EPOCH_SECOND) * 1_000_000 + time.getNano() / 1000);
  }

  /** Text, and JSON that is kept as it was written. */
  void text(@Nullable String value) throws SQLException {
    if (value == null) {
      nothing();
      return;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    room(Integer.BYTES).putInt(bytes.length);
    bytes(bytes);
  }

  /** JSON in PostgreSQL's own form, which has its version in front. */
  void jsonb(@Nullable String value) throws SQLException {
    if (value == null) {
      nothing();
      return;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    room(Integer.BYTES + 1).putInt(bytes.length + 1).put((byte) 1);
    bytes(bytes);
  }

  void finish() throws SQLException {
    room(Short.BYTES).putShort((short) -1);
    flush();
    target.endCopy();
  }

  /** Gives up when {@link #finish} was not reached. */
  @Override
  public void close() throws SQLException {
    if (target.isActive()) {
      target.cancelCopy();
    }
  }

  private void nothing() throws SQLException {
    room(Integer.BYTES).putInt(-1);
  }

  private ByteBuffer field(int length) throws SQLException {
    return room(Integer.BYTES + length).putInt(length);
  }

  private void bytes(byte[] bytes) throws SQLException {
    if (bytes.length > buffer.remaining()) {
      flush();
    }
    if (bytes.length > buffer.capacity()) {
      target.writeToCopy(bytes, 0, bytes.length);
    } else {
      buffer.put(bytes);
    }
  }

  private ByteBuffer room(int length) throws SQLException {
    if (buffer.remaining() < length) {
      flush();
    }
    return buffer;
  }

  private void flush() throws SQLException {
    target.writeToCopy(buffer.array(), 0, buffer.position());
    buffer.clear();
  }
}
