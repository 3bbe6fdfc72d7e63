package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rate limits of a URL group. */
final class RateOptions {
  @Option(
      names = "--rate",
      order = 10,
      paramLabel = "N[/TIME]",
      description = "requests in a second, or 100/minute, or 5/hour")
  private @Nullable String rate;

  @Option(
      names = "--burst",
      order = 11,
      paramLabel = "N",
      description = "of them at once after a pause (what a second allows)")
  private @Nullable Integer burst;

  @Option(names = "--concurrent", order = 12, paramLabel = "N", description = "requests at once")
  private @Nullable Integer concurrent;

  @Option(
      names = "--unset",
      order = 13,
      split = ",",
      paramLabel = "FIELD",
      description = "takes away what is named so in JSON, as in concurrentRequests")
  private List<String> unset = new ArrayList<>();

  @Option(
      names = "--from-json",
      order = 50,
      paramLabel = "FILE|-",
      description = "all of it as JSON")
  private @Nullable String fromJson;

  Body body(Console console) {
    Body body = Body.of(console, fromJson)
        .set("burst", burst)
        .set("concurrentRequests", concurrent)
        .unset(unset);
    Speed.addTo(body, "requestsPer", Speed.of("--rate", rate));
    return body;
  }
}
