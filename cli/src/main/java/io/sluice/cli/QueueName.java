package io.sluice.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** The queue that a command is about. */
final class QueueName {
  @Parameters(paramLabel = "QUEUE", description = "its name or id")
  private String name = "";

  String name() {
    return name;
  }

  /** Its path in the API, and what follows. */
  String path(String... more) {
    return Rest.path(
        Stream.concat(Stream.of("v1", "queues", name), Stream.of(more)).toArray(String[]::new));
  }
}
