package io.sluice.server.rest;

import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where and how to listen; with a TLS setting, by https only. */
public record Listen(String host, int port, @Nullable Tls tls) {
  private static final int MAX_HEADER_BYTES = 32 << 10;

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

  WebServer build(HttpRouting.Builder routing) {
    var builder = WebServer.builder()
        .host(host)
        .port(port)
        // The order of the stop is ours, not the library's.
        .shutdownHook(false)
        .shutdownGracePeriod(Duration.ofSeconds(2))
        .idleConnectionTimeout(Duration.ofMinutes(2))
        .protocolsDiscoverServices(false)
        .addProtocol(Http1Config.builder().maxHeadersSize(MAX_HEADER_BYTES).build())
        .routing(routing);
    if (tls != null) {
      builder.tls(tls);
    }
    return builder.build();
  }
}
