package io.sluice.server;

import io.sluice.SluiceException;
import io.sluice.server.config.Config;
import io.sluice.server.config.Jwt;
import io.sluice.server.config.Settings;
import io.sluice.server.login.JwtSettings;
import io.sluice.server.rest.Listen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All that can be known to be wrong before anything is started or touched, said at once. */
final class Preflight {
  private final Settings settings;
  private final Config config;
  private final List<String> problems;

  private Preflight(Settings settings) {
    this.settings = settings;
    this.config = settings.read();
    this.problems = new ArrayList<>(settings.problems());
  }

  /** What is wrong with the settings and the files that they name. */
  static List<String> ofSettings(Settings settings) {
    return new Preflight(settings).files().problems;
  }

  /** Also what is wrong with the place: the data folder and the port. */
  static List<String> ofStart(Settings settings) {
    return new Preflight(settings).files().folder().port().problems;
  }

  private Preflight files() {
    Jwt jwt = config.trust().jwt();
    if (jwt != null
        && settings.isRight(
            "jwt-issuer", "jwt-audience", "jwt-algorithms", "jwt-jwks-url", "jwt-secret")) {
      check(() -> JwtSettings.of(jwt));
    }
    Path cert = config.listening().tlsCert();
    Path key = config.listening().tlsKey();
    if (cert != null && key != null && settings.isRight("tls-cert", "tls-key")) {
      check(() -> TlsFiles.load(cert, key));
    }
    return this;
  }

  private Preflight folder() {
    if (settings.isRight("data")) {
      check(() -> DataFolder.check(config.running().data()));
    }
    return this;
  }

  private Preflight port() {
    Config.Listening listening = config.listening();
    // A port that nobody named may not be the one that was meant, where something was misspelt.
    boolean meant = settings.isGiven("port") || settings.problems().isEmpty();
    if (meant && settings.isRight("host", "port")) {
      check(new Listen(listening.host(), listening.port(), null)::check);
    }
    return this;
  }

  private void check(Runnable check) {
    try {
      check.run();
    } catch (SluiceException e) {
      problems.add(Trouble.words(e));
    }
  }
}
