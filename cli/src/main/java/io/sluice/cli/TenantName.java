package io.sluice.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** The tenant that a command is about. */
final class TenantName {
  @Parameters(paramLabel = "TENANT", description = "its name or id")
  private String name = "";

  String name() {
    return name;
  }

  /** Its path in the API, and what follows. */
  String path(String... more) {
    return of(name, more);
  }

  static String of(String tenant, String... more) {
    return Rest.path(
        Stream.concat(Stream.of("v1", "tenants", tenant), Stream.of(more)).toArray(String[]::new));
  }
}
