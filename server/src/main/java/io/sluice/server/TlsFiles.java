package io.sluice.server;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate chain and its key in PEM files, as TLS 1.2 or newer wants them. */
final class TlsFiles {
  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

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
      throw wrong(setting, file + " is not PEM that can be read", e);
    }
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
