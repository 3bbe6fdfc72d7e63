package io.sluice.cli;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The HTTP request of a job, or the work of a typed one. */
final class RequestOptions {
  @Option(
      names = {"-X", "--method"},
      order = 10,
      paramLabel = "METHOD",
      description = "of the request (POST)")
  private @Nullable String method;

  @Option(
      names = {"-H", "--header"},
      order = 11,
      paramLabel = "'NAME: VALUE'",
      description = "of the request; repeat for more")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = {"-d", "--body"},
      order = 12,
      paramLabel = "TEXT|@FILE|-",
      description = {
        "of the request. A JSON object or array goes as JSON; anything else, and all with a",
        "Content-Type of your own, as it is"
      })
  private @Nullable String body;

  @Option(
      names = "--url-group",
      order = 13,
      paramLabel = "NAME",
      description = "URL group that the request belongs to")
  private @Nullable String urlGroup;

  @Option(
      names = "--path",
      order = 14,
      paramLabel = "PATH",
      description = "below the group's address")
  private @Nullable String path;

  @Option(
      names = "--type",
      order = 15,
      paramLabel = "TYPE",
      description = "kind of work, for handlers and pull workers")
  private @Nullable String type;

  @Option(
      names = "--payload",
      order = 16,
      paramLabel = "JSON|@FILE|-",
      description = "what the handler gets")
  private @Nullable String payload;

  @Option(
      names = "--callback-url",
      order = 17,
      paramLabel = "URL",
      description = "is told when the job is completed")
  private @Nullable String callbackUrl;

  @Option(
      names = "--failure-callback-url",
      order = 18,
      paramLabel = "URL",
      description = "is told when it failed for good")
  private @Nullable String failureCallbackUrl;

  void addTo(Body job, Console console) {
    Map<String, String> parsed = headers("--header", headers);
    job.set("method", method == null ? null : method.toUpperCase(java.util.Locale.ROOT))
        .set("headers", parsed.isEmpty() ? null : parsed)
        .set("urlGroup", urlGroup)
        .set("path", path)
        .set("type", type)
        .set("payload", payload == null ? null : Source.json(console, "--payload", payload))
        .set("callbackUrl", callbackUrl)
        .set("failureCallbackUrl", failureCallbackUrl);
    if (body != null) {
      boolean asItIs = parsed.keySet().stream().anyMatch("content-type"::equalsIgnoreCase);
      content(job, Source.bytes(console, "--body", body), asItIs);
    }
  }

  private static void content(Body job, byte[] bytes, boolean asItIs) {
    Optional<String> text = Source.utf8(bytes);
    if (text.isEmpty()) {
      job.set("bodyBase64", Base64.getEncoder().encodeToString(bytes));
      return;
    }
    @Nullable JsonNode json = asItIs ? null : Json.readOrNull(text.get());
    job.set("body", json != null && json.isContainer() ? json : text.get());
  }

  /** Headers as they are typed, {@code name: value}. */
  static Map<String, String> headers(String option, List<String> lines) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new CommandException(
            Exit.MISUSED, option + " must be 'name: value', was '" + line + "'");
      }
      headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
    return headers;
  }
}
