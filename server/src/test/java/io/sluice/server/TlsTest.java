package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.cli.Screen;
import io.sluice.server.rest.Listen;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API over https, with certificates that the test makes itself. */
@Tag("slow")
class TlsTest {
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir
  static Path folder;

  private static KeyStore store;

  @BeforeAll
  static void makeCertificates() throws Exception {
    store = made("server", "-keyalg", "EC", "-groupname", "secp256r1");
    made("other", "-keyalg", "RSA", "-keysize", "2048");
  }

  /** Makes a key and its certificate, and writes both as PEM. */
  private static KeyStore made(String name, String... algorithm) throws Exception {
    Path file = folder.resolve(name + ".p12");
    List<String> command = new java.util.ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-J-XX:TieredStopAtLevel=1",
        "-J-XX:+UseSerialGC",
        "-genkeypair",
        "-alias",
        "key",
        "-dname",
        "CN=localhost",
        "-validity",
        "2",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        file.toString(),
        "-storepass",
        new String(PASSWORD)));
    command.addAll(List.of(algorithm));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      made.load(in, PASSWORD);
    }
    write(name + "-cert.pem", "CERTIFICATE", made.getCertificate("key").getEncoded());
    write(name + "-key.pem", "PRIVATE KEY", made.getKey("key", PASSWORD).getEncoded());
    return made;
  }

  private static void write(String name, String type, byte[] bytes) throws IOException {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  private static HttpClient client(String... versions) throws GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    try {
      trusted.load(null, null);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    trusted.setCertificateEntry("server", store.getCertificate("key"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(versions);
    return HttpClient.newBuilder().sslContext(context).sslParameters(parameters).build();
  }

  private static HttpResponse<String> get(HttpClient client, String address) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(address + "/health/ready")).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void server_speaksTls12AndNewerOnly_andSaysSo() throws Exception {
    Listen listen = new Listen(
        "127.0.0.1",
        0,
        TlsFiles.load(folder.resolve("server-cert.pem"), folder.resolve("server-key.pem")));
    ServerSettings settings =
        new ServerSettings(TestServer.database("tls"), listen, TestServer.trust());
    try (Server server = Server.start(settings)) {
      String address = "https://127.0.0.1:" + server.port();
      for (String version : List.of("TLSv1.2", "TLSv1.3")) {
        HttpResponse<String> answer = get(client(version), address);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo(version);
        assertThat(answer.headers().firstValue("strict-transport-security")).isPresent();
      }
      assertThat(catchThrowable(() -> get(client("TLSv1.1"), address)))
          .isInstanceOf(SSLException.class);
      assertThat(catchThrowable(
              () -> get(HttpClient.newHttpClient(), address.replace("https", "http"))))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void commands_speakToAServerWhoseCertificateTheyAreGiven() {
    Listen listen = new Listen(
        "127.0.0.1",
        0,
        TlsFiles.load(folder.resolve("server-cert.pem"), folder.resolve("server-key.pem")));
    ServerSettings settings =
        new ServerSettings(TestServer.database("tls_commands"), listen, TestServer.trust());
    try (Server server = Server.start(settings)) {
      Terminal terminal = new Terminal(
          Map.of(
              "SLUICE_SERVER",
              "https://127.0.0.1:" + server.port(),
              "SLUICE_KEY",
              TestServer.ADMIN_KEY),
          Screen.NONE);
      assertThat(terminal
              .run("stats", "--ca", folder.resolve("server-cert.pem").toString())
              .code())
          .isZero();
      Terminal.Ran stranger = terminal.run("stats");
      assertThat(stranger.code()).isEqualTo(3);
      assertThat(stranger.err()).contains("is from nobody who is trusted here", "--ca FILE trusts");
      Terminal.Ran plain = terminal.run("stats", "--server", "http://127.0.0.1:" + server.port());
      assertThat(plain.code()).isEqualTo(3);
      assertThat(plain.err())
          .contains("it may speak https: use https://127.0.0.1:" + server.port());
      Terminal.Ran absent = terminal.run("stats", "--ca", folder.resolve("none").toString());
      assertThat(absent.code()).isEqualTo(2);
      assertThat(absent.err()).contains("none, which is not there\n");
      Terminal.Ran wrong =
          terminal.run("stats", "--ca", folder.resolve("server.p12").toString());
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err()).contains("--ca must be a file with certificates in PEM");
    }
  }

  @Test
  void plainServer_doesNotClaimToBeSecure() {
    try (TestServer server = TestServer.start("plain")) {
      Terminal.Ran secure = Terminal.of(server)
          .run("stats", "--server", server.admin().address().replace("http:", "https:"));
      assertThat(secure.code()).isEqualTo(3);
      assertThat(secure.err())
          .contains(" speaks plain http\n", "use " + server.admin().address() + "\n");
      assertThat(server.admin().get("/health/ready").header("strict-transport-security"))
          .isEmpty();
    }
  }

  @Test
  void keysInOtherForms_areRefused_withTheCommandThatConvertsThem() throws IOException {
    Path key = folder.resolve("old-key.pem");
    for (String form : List.of("EC PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY")) {
      Files.writeString(
          key, "-----BEGIN " + form + "-----\nMAUCAQECAQE=\n-----END " + form + "-----\n");
      assertThatThrownBy(() -> TlsFiles.load(folder.resolve("server-cert.pem"), key))
          .hasMessageContaining("tls-key: " + key + " is ")
          .hasMessageContaining(form.startsWith("ENC") ? "encrypted" : form + ", and not PKCS#8")
          .hasMessageEndingWith("openssl pkcs8 -topk8 -nocrypt -in " + key + " -out key.pem");
    }
  }

  @Test
  void filesThatDoNotFit_areRefused() {
    assertThatThrownBy(
            () -> TlsFiles.load(folder.resolve("server-cert.pem"), folder.resolve("other-key.pem")))
        .hasMessageContaining("tls-key: ")
        .hasMessageContaining("is not the key of the first certificate");
    assertThatThrownBy(() ->
            TlsFiles.load(folder.resolve("server-cert.pem"), folder.resolve("server-cert.pem")))
        .hasMessageContaining("tls-key: ");
    assertThatThrownBy(
            () -> TlsFiles.load(folder.resolve("server-key.pem"), folder.resolve("server-key.pem")))
        .hasMessageContaining("tls-cert: ");
    assertThat(TlsFiles.load(folder.resolve("other-cert.pem"), folder.resolve("other-key.pem")))
        .isNotNull();
  }
}
