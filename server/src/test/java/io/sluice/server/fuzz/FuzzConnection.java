package io.sluice.server.fuzz;

import io.sluice.server.rest.RawClient;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection to the server that is opened again whenever one of the two has closed it. */
final class FuzzConnection implements AutoCloseable {
  private final int port;
  private final int patienceMillis;
  private @Nullable RawClient client;

  FuzzConnection(int port, int patienceMillis) {
    this.port = port;
    this.patienceMillis = patienceMillis;
  }

  /** Sends a request and waits for its answer; one that is none when the server gives none. */
  FuzzAnswer send(HttpText request) {
    boolean isOld = client != null;
    FuzzAnswer answer = exchange(request);
    // A server may close an idle connection at any time: then the request was not read.
    return isOld && answer.status() == 0 && answer.millis() < patienceMillis / 2
        ? exchange(request)
        : answer;
  }

  private FuzzAnswer exchange(HttpText request) {
    long start = System.nanoTime();
    try {
      RawClient open = client == null ? RawClient.to(port, patienceMillis) : client;
      client = open;
      // What is refused before it is read whole is answered, too.
      open.trySend(request.bytes());
      RawClient.Reply reply = open.reply(!request.isHead());
      while (reply.status() == 100) {
        reply = open.reply(!request.isHead());
      }
      if (reply.header("connection").equals("close") || request.closes()) {
        close();
      }
      return FuzzAnswer.of(reply, since(start));
    } catch (UncheckedIOException e) {
      close();
      return FuzzAnswer.none(e.getMessage(), since(start));
    }
  }

  private static long since(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
