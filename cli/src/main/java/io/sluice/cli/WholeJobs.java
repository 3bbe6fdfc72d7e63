package io.sluice.cli;

import picocli.CommandLine.Option;

/** Whether a list has whole jobs. */
final class WholeJobs {
  @Option(
      names = "--full",
      order = 73,
      description = "with payloads, bodies, results and stack traces; see them with --json")
  private boolean full;

  Rest.Query in(Rest.Query query) {
    return query.add("full", full ? "true" : null);
  }
}
