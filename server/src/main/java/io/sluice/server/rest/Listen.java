package io.sluice.server.rest;

import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where and how to listen; with a TLS setting, by https only. */
public record Listen(String host, int port, @Nullable Tls tls) {
  private static final int MAX_HEADER_BYTES = 32 << 10;

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
