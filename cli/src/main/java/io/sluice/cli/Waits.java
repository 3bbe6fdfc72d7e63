package io.sluice.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Why a job that is due does not run, as far as the key may see: its queue, its URL group, the workers. */
final class Waits {
  private final Rest rest;
  private final Console console;

  Waits(Rest rest, Console console) {
    this.rest = rest;
    this.console = console;
  }

  /** A sentence for each reason; none for a job that is not due, runs, or is over. */
  List<String> reasons(JsonNode job) {
    List<String> reasons = new ArrayList<>();
    if (isDue(job)) {
      queue(job).ifPresent(reasons::add);
      group(Json.text(job, "urlGroup")).ifPresent(reasons::add);
      workers(job).ifPresent(reasons::add);
    }
    return reasons;
  }

  private boolean isDue(JsonNode job) {
    String runAt = Json.text(job, "runAt");
    return switch (Json.text(job, "state")) {
      case "PENDING" -> true;
      case "SCHEDULED", "RETRYING" ->
        runAt.isEmpty() || !Instant.parse(runAt).isAfter(console.pace().instant());
      default -> false;
    };
  }

  private Optional<String> queue(JsonNode job) {
    String name = Json.text(job, "queue");
    return read(Rest.path("v1", "queues", name))
        .filter(queue -> !queue.path("enabled").asBoolean(true))
        .map(queue ->
            "queue " + name + " is paused; 'sluice queues resume " + name + "' starts it again");
  }

  private Optional<String> group(String name) {
    if (name.isEmpty()) {
      return Optional.empty();
    }
    String path = Rest.path("v1", "url-groups", name);
    Optional<String> disabled = read(path)
        .filter(group -> !group.path("enabled").asBoolean(true))
        .map(group -> disabled(name, Json.text(group, "disabledReason")));
    return disabled.isPresent()
        ? disabled
        : read(path + "/health")
            .filter(health -> health.path("jobsHeld").asBoolean())
            .map(health -> held(name, Json.text(health, "since")));
  }

  private static String disabled(String name, String reason) {
    return "URL group " + name + " is disabled" + (reason.isEmpty() ? "" : " (" + reason + ")")
        + "; 'sluice url-groups change " + name + " --enabled' opens it again";
  }

  private String held(String name, String since) {
    return "URL group " + name + " is held: its health check fails"
        + (since.isEmpty() ? "" : " since " + Times.full(since, console.pace()))
        + "; 'sluice url-groups health " + name + "' tells more";
  }

  private Optional<String> workers(JsonNode job) {
    String type = Json.text(job, "type");
    if (type.isEmpty() || type.equals("http")) {
      return Optional.empty();
    }
    return look(() -> Paging.whole().fetch(rest, "/v1/workers", new Rest.Query()))
        .filter(workers -> workers.path("items").valueStream().noneMatch(one -> takes(one, job)))
        .map(workers -> "no worker asks for type " + type + " in queue " + Json.text(job, "queue"));
  }

  /** Engines do the types that they name, in every queue; pull workers without types do all of a queue. */
  private static boolean takes(JsonNode worker, JsonNode job) {
    boolean named = worker
        .path("types")
        .valueStream()
        .anyMatch(type -> Json.text(type).equals(Json.text(job, "type")));
    if (!Json.text(worker, "kind").equals("PULL")) {
      return named;
    }
    return (named || worker.path("types").isEmpty())
        && Json.text(worker, "queue").equals(Json.text(job, "queue"))
        && Json.text(worker, "tenant").equals(Json.text(job, "tenant"));
  }

  private Optional<JsonNode> read(String path) {
    return look(() -> rest.get(path));
  }

  private static Optional<JsonNode> look(Supplier<JsonNode> ask) {
    try {
      return Optional.of(ask.get());
    } catch (CommandException e) {
      // A key that may not see this may still see its job, which is what was asked for.
      return Optional.empty();
    }
  }
}
