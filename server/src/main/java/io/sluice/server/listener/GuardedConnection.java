package io.sluice.server.listener;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import io.sluice.server.listener.ClientConnection.Stage;
import java.time.Duration;

/**
 * A connection of the web server behind our filter. When it ends with something unread, that is dropped for a
 * moment: a connection that is closed before would take the answer with it on its way to the client.
 */
final class GuardedConnection implements ServerConnection, InterruptableTask<Void> {
  private static final long MOST_DROPPED = 64L << 20;

  private final ServerConnection served;
  private final RequestFilter filter;
  private final ClientConnection connection;
  private final OpenConnections connections;
  private final boolean secure;
  private volatile boolean closing;

  GuardedConnection(
      ServerConnection served,
      RequestFilter filter,
      ClientConnection connection,
      OpenConnections connections,
      boolean secure) {
    this.served = served;
    this.filter = filter;
    this.connection = connection;
    this.connections = connections;
    this.secure = secure;
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    try {
      served.handle(limit);
    } finally {
      end();
    }
  }

  private void end() {
    closing = true;
    try {
      if (filter.leavesSomething()) {
        connection.at(Stage.CLOSING);
        if (!secure) {
          connection.stopOutput();
        }
        filter.drop(MOST_DROPPED);
      }
    } catch (RuntimeException e) {
      // The client went first.
    } finally {
      connections.remove(connection);
    }
  }

  @Override
  public boolean canInterrupt() {
    return closing || (served instanceof InterruptableTask<?> task && task.canInterrupt());
  }

  @Override
  public Duration idleTime() {
    return served.idleTime();
  }

  @Override
  public void close(boolean interrupt) {
    served.close(interrupt || closing);
  }
}
