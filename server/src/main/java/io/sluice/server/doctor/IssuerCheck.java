package io.sluice.server.doctor;

import com.nimbusds.jose.jwk.JWKSet;
import io.sluice.SluiceException;
import io.sluice.http.AddressGuard;
import io.sluice.http.GuardedClient;
import io.sluice.server.config.Jwt;
import io.sluice.server.doctor.Fault.Topic;
import io.sluice.server.login.GuardedFetch;
import io.sluice.server.rest.Problem;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;

/** Whether the public keys of a token issuer can be fetched, by the way that the server takes. */
final class IssuerCheck {
  private IssuerCheck() {}

  static List<Finding> look(Patient patient) {
    Jwt jwt = patient.config().trust().jwt();
    if (jwt == null || jwt.jwksUrl() == null) {
      return List.of();
    }
    String url = jwt.jwksUrl();
    AddressGuard guard = new AddressGuard(patient.config().trust().allowedTargets());
    try (GuardedClient client = new GuardedClient(guard)) {
      byte[] body = new GuardedFetch(client).get(URI.create(url));
      int keys =
          JWKSet.parse(new String(body, StandardCharsets.UTF_8)).getKeys().size();
      return List.of(Topic.JWT.ok("The token issuer publishes " + keys + " keys."));
    } catch (SluiceException e) {
      return List.of(Fault.ISSUER_SILENT.found(url, Problem.detail(e)));
    } catch (IOException e) {
      return List.of(Fault.ISSUER_SILENT.found(url, String.valueOf(e.getMessage())));
    } catch (ParseException e) {
      return List.of(Fault.ISSUER_SILENT.found(url, "what is there are not keys"));
    }
  }
}
