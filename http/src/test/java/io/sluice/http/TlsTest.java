package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Has and trusts one certificate, for good.example and 127.0.0.1, that nobody else trusts. */
  private static SSLContext tls;

  @BeforeAll
  static void readCertificate() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    // Made with keytool -genkeypair -keyalg EC -ext san=dns:good.example,ip:127.0.0.1, for a
    // century.
    try (InputStream in = TlsTest.class.getResourceAsStream("/test-keys.p12")) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("test", keys.getCertificate("test"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
  }

  private static Desk desk(SSLContext context) {
    return new Desk(
        Desk.guard("127.0.0.0/8"),
        host -> new InetAddress[] {IpLiteral.parse("127.0.0.1").orElseThrow()},
        context,
        InstantSource.system());
  }

  private static Receiver receiver() {
    return Receiver.secure(tls.getServerSocketFactory(), request -> Receiver.ok("safe"));
  }

  private static void assertNoTls(AttemptFailure failure) {
    assertThat(failure.code()).isEqualTo("TLS_FAILED");
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.NETWORK);
  }

  @Test
  void trustedCertificate_forItsName_isGood_andTheConnectionIsUsedAgain() throws Exception {
    try (Receiver receiver = receiver();
        Desk desk = desk(tls)) {
      assertThat(desk.done(HttpCall.to(receiver.url("good.example", "/"))).body())
          .isEqualTo("safe");
      assertThat(desk.done(HttpCall.to(receiver.url("good.example", "/"))).body())
          .isEqualTo("safe");
      assertThat(receiver.connections()).isEqualTo(1);
      assertThat(desk.done(HttpCall.to(receiver.url("/"))).body()).isEqualTo("safe");
    }
  }

  @Test
  void certificateForAnotherName_isRefused() {
    try (Receiver receiver = receiver();
        Desk desk = desk(tls)) {
      assertNoTls(desk.failed(HttpCall.to(receiver.url("evil.example", "/"))));
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void certificateThatNobodyVouchesFor_isRefused() {
    try (Receiver receiver = receiver();
        Desk desk = desk(Desk.platformTls())) {
      assertNoTls(desk.failed(HttpCall.to(receiver.url("good.example", "/"))));
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void receiverWithoutTls_isAFailure_andOneThatHangsInTheHandshakeATimeout() {
    try (Receiver plain = Receiver.raw(socket ->
            socket.getOutputStream().write("hello\r\n".getBytes(StandardCharsets.US_ASCII)));
        Receiver silent = Receiver.raw(socket -> socket.getInputStream().readAllBytes());
        Desk desk = desk(tls)) {
      assertNoTls(desk.failed(HttpCall.to("https://good.example:" + plain.port() + "/")));

      HttpCall call = HttpCall.to("https://good.example:" + silent.port() + "/");
      AttemptFailure failure = desk.failed(Desk.job(call, ""), Duration.ofMillis(600));
      assertThat(failure.code()).isEqualTo("TLS_TIMEOUT");
      assertThat(failure.errorClass()).isEqualTo(ErrorClass.TIMEOUT);
    }
  }

  @Test
  void oldTls_isRefused() {
    try (Receiver receiver = Receiver.secure(new OldTls(tls.getServerSocketFactory()), r -> "");
        Desk desk = desk(tls)) {
      assertNoTls(desk.failed(HttpCall.to(receiver.url("good.example", "/"))));
    }
  }

  /** Server sockets that speak TLS 1.1 and nothing newer. */
  private static final class OldTls extends ServerSocketFactory {
    private final SSLServerSocketFactory factory;

    OldTls(SSLServerSocketFactory factory) {
      this.factory = factory;
    }

    @Override
    public SSLServerSocket createServerSocket() throws IOException {
      SSLServerSocket socket = (SSLServerSocket) factory.createServerSocket();
      socket.setEnabledProtocols(new String[] {"TLSv1.1"});
      return socket;
    }

    @Override
    public SSLServerSocket createServerSocket(int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SSLServerSocket createServerSocket(int port, int backlog) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SSLServerSocket createServerSocket(int port, int backlog, InetAddress address) {
      throw new UnsupportedOperationException();
    }
  }
}
