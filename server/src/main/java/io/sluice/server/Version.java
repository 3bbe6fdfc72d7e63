package io.sluice.server;

import org.jspecify.annotations.Nullable;

/** The version of this server, as its jar says it. */
public final class Version {
  private Version() {}

  public static String current() {
    @Nullable String built = Version.class.getPackage().getImplementationVersion();
    return built == null ? "development" : built;
  }
}
