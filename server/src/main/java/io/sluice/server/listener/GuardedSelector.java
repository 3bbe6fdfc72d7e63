package io.sluice.server.listener;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.sluice.server.listener.ClientConnection.Ends;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Function;

/** Puts a filter before every connection of the web server. */
final class GuardedSelector implements ServerConnectionSelector {
  private final Http1ConnectionSelector http;
  private final OpenConnections connections;
  private final Function<HttpRefusal, byte[]> answers;

  GuardedSelector(
      Http1Config config, OpenConnections connections, Function<HttpRefusal, byte[]> answers) {
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.connections = connections;
    this.answers = answers;
  }

  @Override
  public ServerConnection connection(ConnectionContext wire) {
    ClientConnection connection = connections
        .find(new Ends(wire.remotePeer().address(), wire.localPeer().address()))
        .orElseThrow(() -> new CloseConnectionException("it had to make room"));
    RequestFilter filter = new RequestFilter(
        wire.serverSocket()::get, connection, refusal -> write(wire, answers.apply(refusal)));
    connection.listening();
    ServerConnection served = http.connection(new FilteredContext(
        wire, DataReader.create(filter::get), new TimedWriter(wire.dataWriter(), connection)));
    return new GuardedConnection(served, filter, connection, connections, wire.isSecure());
  }

  private static void write(ConnectionContext wire, byte[] answer) {
    try {
      wire.dataWriter().writeNow(BufferData.create(answer));
    } catch (SocketWriterException | UncheckedIOException e) {
      throw new CloseConnectionException("the client went before its answer", e);
    }
  }

  /** It is the only one: nothing has to be found out. */
  @Override
  public int bytesToIdentifyConnection() {
    return 0;
  }

  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }
}
