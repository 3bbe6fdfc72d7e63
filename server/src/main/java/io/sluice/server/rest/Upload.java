package io.sluice.server.rest;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the body of a request into memory that is held for it before each byte is read. */
final class Upload {
  private static final int PIECE = 64 << 10;

  private Upload() {}

  /** A body whose length was announced. */
  static byte[] read(InputStream in, int length, MemoryBudget.Hold hold) throws IOException {
    hold.body(length);
    byte[] body = new byte[length];
    int read = in.readNBytes(body, 0, length);
    return read == length ? body : Arrays.copyOf(body, read);
  }

  /** A body that comes in chunks; of one that is too long, one byte more than it may have. */
  static byte[] readChunks(InputStream in, long most, MemoryBudget.Hold hold) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    long length = 0;
    while (length <= most) {
      // Twice: the pieces, and the body that they become.
      hold.body(2 * (length + PIECE));
      byte[] piece = in.readNBytes((int) Math.min(PIECE, most + 1 - length));
      if (piece.length == 0) {
        break;
      }
      pieces.add(piece);
      length += piece.length;
    }
    byte[] body = new byte[(int) length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, body, at, piece.length);
      at += piece.length;
    }
    hold.body(length);
    return body;
  }
}
