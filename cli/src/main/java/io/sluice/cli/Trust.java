package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whose certificates are believed: the JDK's authorities, or those of a file. */
final class Trust {
  private Trust() {}

  static SSLContext context(String address, @Nullable Path ca) {
    try {
      if (!address.toLowerCase(Locale.ROOT).startsWith("https:")) {
        // Reading the JDK's authorities takes longer than most commands, and http needs none.
        SSLContext none = SSLContext.getInstance("TLS");
        none.init(null, new TrustManager[0], null);
        return none;
      }
      return ca == null ? SSLContext.getDefault() : of(ca);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    } catch (NoSuchFileException e) {
      throw new CommandException(
          Exit.MISUSED, "--ca names the file " + ca + ", which is not there");
    } catch (GeneralSecurityException | IOException e) {
      throw new CommandException(
          Exit.MISUSED,
          "--ca must be a file with certificates in PEM: " + ca + ": " + e.getMessage());
    }
  }

  private static SSLContext of(Path ca) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(ca)) {
      int count = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + count++, one);
      }
      if (count == 0) {
        throw new IOException("there is none in it");
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
