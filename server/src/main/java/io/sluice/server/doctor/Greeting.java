package io.sluice.server.doctor;

import io.sluice.server.config.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Asks whoever listens on a port whether it is a Sluice. */
final class Greeting {
  private static final int PATIENCE_MILLIS = 2_000;
  private static final int MOST_BYTES = 4_096;
  private static final String QUESTION =
      "GET /health/live HTTP/1.1\r\nHost: sluice\r\nConnection: close\r\n\r\n";

  private Greeting() {}

  static boolean isSluice(Config.Listening listening) {
    try {
      InetSocketAddress address = new InetSocketAddress(listening.host(), listening.port());
      boolean everywhere = address.getAddress().isAnyLocalAddress();
      InetAddress host = everywhere ? InetAddress.getLoopbackAddress() : address.getAddress();
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, listening.port()), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return ask(listening.tlsCert() == null ? socket : secured(socket));
      }
    } catch (IOException | GeneralSecurityException e) {
      return false; // whatever it is, it does not answer as we would
    }
  }

  private static boolean ask(Socket socket) throws IOException {
    socket.getOutputStream().write(QUESTION.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    String answer =
        new String(socket.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
    return answer.startsWith("HTTP/1.1 200")
        && answer.contains("{\"status\":\"ok\",\"reasons\":[]}");
  }

  private static SSLSocket secured(Socket socket) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    return (SSLSocket) context
        .getSocketFactory()
        .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
  }

  /** Takes every certificate: nothing secret is said, and only the manner of the answer counts. */
  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
