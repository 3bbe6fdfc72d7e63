package io.sluice.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A key and a certificate that it has signed itself, in PEM files, made by the JDK's own tool. */
public record Pem(Path cert, Path key) {
  private static final char[] PASSWORD = "password".toCharArray();

  /** Makes both; the options are those of {@code keytool -genkeypair} about times. */
  public static Pem make(Path folder, String name, String... times) {
    Path store = folder.resolve(name + ".p12");
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-J-XX:TieredStopAtLevel=1",
        "-J-XX:+UseSerialGC",
        "-genkeypair",
        "-alias",
        "key",
        "-dname",
        "CN=localhost",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        store.toString(),
        "-storepass",
        new String(PASSWORD)));
    command.addAll(List.of(times));
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .start()
          .getInputStream()
          .readAllBytes();
      KeyStore made = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        made.load(in, PASSWORD);
      }
      return new Pem(
          write(
              folder,
              name + "-cert.pem",
              "CERTIFICATE",
              made.getCertificate("key").getEncoded()),
          write(
              folder,
              name + "-key.pem",
              "PRIVATE KEY",
              made.getKey("key", PASSWORD).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path write(Path folder, String name, String type, byte[] bytes)
      throws IOException {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    Path file = Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    Files.setPosixFilePermissions(
        file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    return file;
  }
}
