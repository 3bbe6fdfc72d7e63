package io.sluice.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** The URL group that a command is about. */
final class UrlGroupName {
  @Parameters(paramLabel = "GROUP", description = "its name or id")
  private String name = "";

  String name() {
    return name;
  }

  /** Its path in the API, and what follows. */
  String path(String... more) {
    return Rest.path(
        Stream.concat(Stream.of("v1", "url-groups", name), Stream.of(more)).toArray(String[]::new));
  }
}
