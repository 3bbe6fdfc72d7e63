package io.sluice.server;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A certificate chain and its key in PEM files, as TLS 1.2 or newer wants them. */
final class TlsFiles {
  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

  private static final String NO_PEM = "not PEM that can be read";
  private static final Pattern OLDER_KEY = Pattern.compile("-----BEGIN ([A-Z]+ PRIVATE KEY)-----");

  private TlsFiles() {}

  static Tls load(Path cert, Path key) {
    List<X509Certificate> chain = read(
        "tls-cert",
        cert,
        () -> Keys.builder()
            .pem(pem -> pem.certChain(Resource.create(cert)))
            .build()
            .certChain());
    PrivateKey secret = read(
        "tls-key",
        key,
        () -> Keys.builder()
            .pem(pem -> pem.key(Resource.create(key)))
            .build()
            .privateKey()
            .orElseThrow());
    if (chain.isEmpty()) {
      throw wrong("tls-cert", cert + " holds no certificate in PEM", null);
    }
    if (!fits(chain.getFirst(), secret)) {
      throw wrong("tls-key", key + " is not the key of the first certificate in " + cert, null);
    }
    return Tls.builder()
        .privateKey(secret)
        .privateKeyCertChain(chain)
        .enabledProtocols(VERSIONS)
        .build();
  }

  private interface Reading<T> {
    T read();
  }

  private static <T> T read(String setting, Path file, Reading<T> reading) {
    try {
      return reading.read();
    } catch (RuntimeException e) {
      throw wrong(setting, file + " is " + kind(file), e);
    }
  }

  /** What a file is that could not be read: a key in another form, by its head, or anything. */
  private static String kind(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return NO_PEM;
    }
    String remedy = ": convert it with openssl pkcs8 -topk8 -nocrypt -in " + file + " -out key.pem";
    if (text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")) {
      return "an encrypted key, which cannot be opened" + remedy;
    }
    Matcher older = OLDER_KEY.matcher(text);
    return older.find()
        ? "a key in the form " + older.group(1) + ", and not PKCS#8 (BEGIN PRIVATE KEY)" + remedy
        : NO_PEM;
  }

  private static boolean fits(X509Certificate certificate, PrivateKey key) {
    String algorithm = switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
    byte[] sample = {1, 2, 3};
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(sample);
      byte[] signature = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(certificate.getPublicKey());
      checking.update(sample);
      return checking.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static SluiceException wrong(String setting, String words, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.BAD_CONFIGURATION, setting + ": " + words, cause);
  }
}
