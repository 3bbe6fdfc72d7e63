package io.sluice.server.rest;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.OptionalLong;

/**
 * The body of one request, which is read to its end by a route that takes it, or not at all. One that was
 * not read to its end must not be mistaken for the next request: its connection is closed.
 */
final class RequestBody {
  private final ServerRequest request;
  private final MemoryBudget.Hold hold;
  private boolean finished;

  RequestBody(ServerRequest request, MemoryBudget.Hold hold) {
    this.request = request;
    this.hold = hold;
    this.finished = !request.headers().contains(HeaderNames.TRANSFER_ENCODING)
        && request.headers().contentLength().orElse(0) == 0;
  }

  /** True when nothing of it is left on the connection. */
  boolean finished() {
    return finished;
  }

  /** The memory that the request holds, from its body to its answer. */
  MemoryBudget.Hold hold() {
    return hold;
  }

  /** Reads it, and refuses one that says it is too large before a byte of it is read. */
  byte[] read(long most) {
    OptionalLong announced = request.headers().contentLength();
    if (announced.isPresent() && announced.getAsLong() > most) {
      throw tooLarge(most);
    }
    if (finished) {
      return new byte[0];
    }
    try {
      // Not closed: that would wait for more of a body that is refused.
      InputStream in = request.content().inputStream();
      byte[] body = announced.isPresent()
          ? Upload.read(in, (int) announced.getAsLong(), hold)
          : Upload.readChunks(in, most, hold);
      if (body.length > most) {
        throw tooLarge(most);
      }
      finished = true;
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SluiceException tooLarge(long most) {
    return new SluiceException(
        ErrorCode.TOO_LARGE,
        most == 0 ? "this takes no body" : "the body must be at most " + most + " bytes");
  }
}
