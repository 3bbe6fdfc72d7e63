package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a URL group can be told. */
final class UrlGroupOptions {
  @Option(
      names = "--base-url",
      order = 10,
      paramLabel = "URL",
      description = "address that its paths follow")
  private @Nullable String baseUrl;

  @Option(names = "--description", order = 11, paramLabel = "TEXT", description = "what it is")
  private @Nullable String description;

  @Option(
      names = {"-H", "--header"},
      order = 12,
      paramLabel = "'NAME: VALUE'",
      description = "header of every request; repeat for more")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--rate",
      order = 13,
      paramLabel = "N[/TIME]",
      description = "requests in a second, or 100/minute, or 5/hour")
  private @Nullable String rate;

  @Option(names = "--concurrent", order = 14, paramLabel = "N", description = "requests at once")
  private @Nullable Integer concurrent;

  @Option(
      names = "--ip-allow",
      order = 15,
      split = ",",
      paramLabel = "CIDR",
      description = "addresses that requests may go to, and no others")
  private List<String> ipAllowlist = new ArrayList<>();

  @Option(
      names = "--follow-redirects",
      order = 16,
      negatable = true,
      description = "whether redirects are followed")
  private @Nullable Boolean followRedirects;

  @Option(
      names = "--signing",
      order = 17,
      paramLabel = "SCHEME",
      description = "standard-webhooks or wstash")
  private @Nullable String signing;

  @Option(
      names = "--signing-secret",
      order = 18,
      paramLabel = "SECRET|@FILE|-",
      description = "what it signs with")
  private @Nullable String secret;

  @Option(
      names = "--health-check",
      order = 19,
      paramLabel = "PATH",
      description = "path that is asked for health")
  private @Nullable String healthCheck;

  @Option(names = "--health-interval", order = 20, paramLabel = "TIME", description = "how often")
  private @Nullable String healthInterval;

  @Option(
      names = "--hold-jobs",
      order = 21,
      negatable = true,
      description = "whether jobs wait while the check fails")
  private @Nullable Boolean holdJobs;

  @Option(
      names = "--enabled",
      order = 22,
      negatable = true,
      description = "whether its jobs are sent; where not, they wait")
  private @Nullable Boolean enabled;

  @Option(
      names = "--disable-after",
      order = 23,
      paramLabel = "TIME",
      description = "of nothing but failures it is disabled (never)")
  private @Nullable String disableAfter;

  @Mixin
  private AuthOptions auth = new AuthOptions();

  @Mixin
  private RetryOptions retry = new RetryOptions();

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    Map<String, String> parsed = RequestOptions.headers("--header", headers);
    Body body = whole
        .body(console)
        .set("baseUrl", baseUrl)
        .set("description", description)
        .set("defaultHeaders", parsed.isEmpty() ? null : parsed)
        .set("rateLimits.concurrentRequests", concurrent)
        .set("ipAllowlist", ipAllowlist.isEmpty() ? null : ipAllowlist)
        .set("followRedirects", followRedirects)
        .set("signing.scheme", signing)
        .set("signing.secrets", secret == null ? null : secrets(console, secret))
        .set("healthCheck.endpoint", healthCheck)
        .set("healthCheck.interval", healthInterval)
        .set("healthCheck.holdJobs", holdJobs)
        .set("enabled", enabled)
        .set("disableAfter", disableAfter)
        .set("auth", auth.auth(console));
    Speed.addTo(body, "rateLimits.requestsPer", Speed.of("--rate", rate));
    retry.addTo(body, "retry");
    return body;
  }

  private static List<String> secrets(Console console, String given) {
    return List.of(Source.text(console, "--signing-secret", given));
  }
}
