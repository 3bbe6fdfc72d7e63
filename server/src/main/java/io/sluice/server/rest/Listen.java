package io.sluice.server.rest;

import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.listener.ConnectionBounds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where and how to listen, with how many connections; with a TLS setting, by https only. */
public record Listen(String host, int port, @Nullable Tls tls, ConnectionBounds bounds) {

  public Listen(String host, int port, @Nullable Tls tls) {
    this(host, port, tls, ConnectionBounds.DEFAULT);
  }

  /** The same with other bounds. */
  public Listen with(ConnectionBounds others) {
    return new Listen(host, port, tls, others);
  }

  /**
   * Says what is wrong with the address: the web server itself only logs that it could not listen, and
   * goes on without.
   */
  public void check() {
    try (ServerSocket socket = new ServerSocket()) {
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw refused("there is no such address", null);
      }
      socket.bind(address);
    } catch (IOException e) {
      throw refused(e.getMessage() + "; give another --port, or stop " + owner(), e);
    }
  }

  private String owner() {
    return PortOwner.find(port)
        .map(process -> process + ", which has it")
        .orElse("the program that has it");
  }

  SluiceException refused(String why, @Nullable IOException cause) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "cannot listen on " + host + " port " + port + ": " + why,
        cause);
  }

  WebServerConfig.Builder builder(HttpRouting.Builder routing) {
    WebServerConfig.Builder builder = WebServer.builder()
        .host(host)
        .port(port)
        // The order of the stop is ours, not the library's.
        .shutdownHook(false)
        .shutdownGracePeriod(Duration.ofSeconds(2))
        .directHandlers(PlainProblem.directHandlers())
        .routing(routing);
    if (tls != null) {
      builder.tls(tls);
    }
    return builder;
  }
}
