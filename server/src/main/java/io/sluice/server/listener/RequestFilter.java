package io.sluice.server.listener;

import static io.sluice.server.listener.HttpRefusal.malformed;

import io.helidon.webserver.CloseConnectionException;
import io.sluice.server.listener.ClientConnection.Stage;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one connection as the web server gets them: heads whole and checked, bodies in small pieces
 * and to their end, never a byte of one request in the next. It reports to the connection what it is doing,
 * and answers a head that it refuses itself.
 */
final class RequestFilter implements ChunkReader.Input {
  static final int LONGEST_REQUEST_LINE = 8 << 10;
  static final int LARGEST_HEADERS = 32 << 10;

  private static final byte[] NOTHING = {};

  /** What comes over the network: the next bytes, or nothing at its end. */
  interface Wire {
    byte @Nullable [] read();
  }

  private final Wire wire;
  private final ClientConnection connection;
  private final Consumer<HttpRefusal> refused;
  private byte[] unread = NOTHING;
  private int from;
  private int to;
  private long left;
  private @Nullable ChunkReader chunks;
  private boolean first = true;
  private boolean ended;
  private boolean refusedOne;

  RequestFilter(Wire wire, ClientConnection connection, Consumer<HttpRefusal> refused) {
    this.wire = wire;
    this.connection = connection;
    this.refused = refused;
  }

  /** True when the client may still send what nobody will read. */
  boolean leavesSomething() {
    return !ended && (refusedOne || left > 0 || chunks != null || from < to);
  }

  /** The next piece, or nothing when the client has ended the connection between requests. */
  byte @Nullable [] get() {
    if (left > 0) {
      return piece();
    }
    if (chunks != null) {
      return chunk(chunks);
    }
    try {
      return head();
    } catch (HttpRefusal e) {
      refusedOne = true;
      refused.accept(e);
      throw new CloseConnectionException("a request was refused: " + e.detail());
    }
  }

  private byte[] piece() {
    byte[] piece = some(left);
    left -= piece.length;
    if (left == 0) {
      connection.at(Stage.SERVED);
    }
    return piece;
  }

  private byte[] chunk(ChunkReader body) {
    byte[] chunk = body.next();
    if (body.finished()) {
      chunks = null;
      connection.at(Stage.SERVED);
    }
    return chunk;
  }

  private byte @Nullable [] head() {
    if (!begin()) {
      return null;
    }
    RequestHead head = RequestHead.parse(wholeHead());
    if (head.length() == RequestHead.CHUNKED) {
      chunks = new ChunkReader(this);
    } else {
      left = head.length();
    }
    connection.at(head.length() == 0 ? Stage.SERVED : Stage.BODY);
    return head.bytes();
  }

  /** Waits for the first byte of a request; empty lines before it are no part of it. */
  private boolean begin() {
    if (from == to && !first) {
      connection.at(Stage.IDLE);
    }
    boolean more = from < to || fill();
    if (!first) {
      connection.at(Stage.HEAD);
    }
    first = false;
    while (more && (unread[from] == '\r' || unread[from] == '\n')) {
      from++;
      more = from < to || fill();
    }
    return more;
  }

  private byte[] wholeHead() {
    int line = -1;
    for (int at = 0; ; at++) {
      if (from + at == to) {
        checkSize(at, line);
        if (!fill()) {
          throw early("the request ended before the empty line after its headers");
        }
      }
      if (unread[from + at] != '\n') {
        continue;
      }
      if (at == 0 || unread[from + at - 1] != '\r') {
        throw malformed("every line of a request must end with CR LF");
      }
      if (line < 0) {
        line = at + 1;
      }
      if (at >= 3 && unread[from + at - 2] == '\n') {
        checkSize(at + 1, line);
        return take(at + 1);
      }
    }
  }

  private byte[] take(int size) {
    byte[] taken = Arrays.copyOfRange(unread, from, from + size);
    from += size;
    return taken;
  }

  private static void checkSize(int size, int line) {
    if ((line < 0 ? size : line) > LONGEST_REQUEST_LINE) {
      throw new HttpRefusal(
          414, "the path and the query must be of at most " + LONGEST_REQUEST_LINE + " characters");
    }
    if (line >= 0 && size - line > LARGEST_HEADERS) {
      throw new HttpRefusal(431, "the headers must be of at most " + LARGEST_HEADERS + " bytes");
    }
  }

  @Override
  public byte next() {
    requireMore();
    return unread[from++];
  }

  @Override
  public byte[] some(long most) {
    requireMore();
    return take((int) Math.min(most, to - from));
  }

  private void requireMore() {
    if (from == to && !fill()) {
      throw early("the body ended before its end");
    }
  }

  /** Reads more behind what is unread; false at the end. */
  private boolean fill() {
    byte[] more = read();
    if (more == null) {
      ended = true;
      return false;
    }
    if (from == to) {
      unread = more;
      from = 0;
      to = more.length;
    } else {
      append(more);
    }
    return true;
  }

  private void append(byte[] more) {
    int size = to - from + more.length;
    if (to + more.length > unread.length) {
      unread = Arrays.copyOf(Arrays.copyOfRange(unread, from, to), Math.max(size, 2 * (to - from)));
      to -= from;
      from = 0;
    }
    System.arraycopy(more, 0, unread, to, more.length);
    to += more.length;
  }

  private byte @Nullable [] read() {
    try {
      return wire.read();
    } catch (UncheckedIOException | IllegalStateException e) {
      ended = true;
      if (connection.isLate()) {
        return null;
      }
      throw new CloseConnectionException("the connection broke", e);
    }
  }

  private HttpRefusal early(String detail) {
    return connection.isLate()
        ? new HttpRefusal(408, "the request took longer to arrive than it may")
        : malformed(detail);
  }

  /** Drops what the client still sends, to the end of the connection or of these bytes. */
  void drop(long most) {
    long dropped = 0;
    for (byte[] more = read(); more != null && dropped < most; more = read()) {
      dropped += more.length;
    }
  }
}
