package io.sluice.server.listener;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** What the web server knows of a connection, with our bytes in place of those on the wire. */
record FilteredContext(ConnectionContext wire, DataReader dataReader, DataWriter dataWriter)
    implements ConnectionContext {

  @Override
  public ListenerContext listenerContext() {
    return wire.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return wire.executor();
  }

  @Override
  public Router router() {
    return wire.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return wire.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return wire.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return wire.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return wire.localPeer();
  }

  @Override
  public boolean isSecure() {
    return wire.isSecure();
  }

  @Override
  public String socketId() {
    return wire.socketId();
  }

  @Override
  public String childSocketId() {
    return wire.childSocketId();
  }
}
