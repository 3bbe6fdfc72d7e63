package io.sluice.server.listener;

import static io.sluice.server.listener.HttpRefusal.malformed;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Takes a chunked body apart, whatever the size of its chunks, and puts it together again in chunks no
 * larger than what was read at once. Extensions and trailers, which nothing here uses, are left out.
 */
final class ChunkReader {
  private static final int LONGEST_LINE = 4 << 10;
  private static final int MOST_OVERHEAD = 32 << 10;
  private static final int SIZE_DIGITS = 15;
  private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The bytes that come next. */
  interface Input {
    /** The next byte. */
    byte next();

    /** Some of the next bytes, at least one and at most this many. */
    byte[] some(long most);
  }

  private final Input input;
  private long left;
  private long overhead;
  private boolean begun;
  private boolean finished;

  ChunkReader(Input input) {
    this.input = input;
  }

  boolean finished() {
    return finished;
  }

  /** The next chunk, framed; the last one has nothing in it. */
  byte[] next() {
    if (left == 0) {
      if (begun) {
        endChunk();
      }
      left = size();
      begun = true;
    }
    if (left == 0) {
      skipTrailers();
      finished = true;
      return LAST;
    }
    byte[] data = input.some(left);
    left -= data.length;
    return framed(data);
  }

  private static byte[] framed(byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(data.length + 12);
    out.writeBytes((Integer.toHexString(data.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(data);
    out.write('\r');
    out.write('\n');
    return out.toByteArray();
  }

  private void endChunk() {
    if (input.next() != '\r' || input.next() != '\n') {
      throw malformed("a chunk of the body is not as long as it says");
    }
  }

  private long size() {
    String line = line();
    int end = 0;
    while (end < line.length() && Character.digit(line.charAt(end), 16) >= 0) {
      end++;
    }
    String rest = line.substring(end).strip();
    boolean good = end > 0 && end <= SIZE_DIGITS && (rest.isEmpty() || rest.startsWith(";"));
    if (!good) {
      throw malformed("the size of a chunk of the body must be a hexadecimal number");
    }
    // The digits count for nothing: small chunks are legal, if slow.
    overhead += line.length() - end;
    checkOverhead();
    return Long.parseLong(line, 0, end, 16);
  }

  private void skipTrailers() {
    for (String line = line(); !line.isEmpty(); line = line()) {
      overhead += line.length();
      checkOverhead();
    }
  }

  private void checkOverhead() {
    if (overhead > MOST_OVERHEAD) {
      throw malformed("the body has too many chunk extensions or trailers");
    }
  }

  /** A line without its end, which must be CR LF. */
  private String line() {
    StringBuilder line = new StringBuilder();
    for (char c = (char) (input.next() & 0xff); c != '\r'; c = (char) (input.next() & 0xff)) {
      if ((c < ' ' && c != '\t') || line.length() == LONGEST_LINE) {
        throw malformed("a line between the chunks of the body is too long or not text");
      }
      line.append(c);
    }
    if (input.next() != '\n') {
      throw malformed("a line between the chunks of the body must end with CR LF");
    }
    return line.toString();
  }
}
