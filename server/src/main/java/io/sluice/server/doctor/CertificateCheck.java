package io.sluice.server.doctor;

import io.sluice.server.doctor.Fault.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How long the certificate of the server is good; whether it fits its key is a matter of settings. */
final class CertificateCheck {
  private static final Duration SOON = Duration.ofDays(21);

  private CertificateCheck() {}

  static List<Finding> look(Patient patient) {
    Path file = patient.config().listening().tlsCert();
    if (file == null) {
      return List.of();
    }
    try (InputStream in = Files.newInputStream(file)) {
      var certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      return List.of(judge(file, certificate, patient.clock().instant()));
    } catch (IOException | CertificateException e) {
      return List.of(); // the settings cannot be used, which was said before
    }
  }

  private static Finding judge(Path file, X509Certificate certificate, Instant now) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    if (now.isAfter(until)) {
      return Fault.CERTIFICATE_EXPIRED.found(file, until);
    }
    if (now.isBefore(from)) {
      return Fault.CERTIFICATE_EARLY.found(file, from);
    }
    return now.plus(SOON).isAfter(until)
        ? Fault.CERTIFICATE_SOON.found(file, until)
        : Topic.TLS.ok("The certificate is good until " + until + ".");
  }
}
