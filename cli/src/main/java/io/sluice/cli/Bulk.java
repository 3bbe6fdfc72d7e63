package io.sluice.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many jobs on their way in, batch by batch, each of which the server takes whole or not at all. Wherever
 * it ends, it says which lines are in and how to go on.
 */
final class Bulk {
  private static final Pattern INDEX = Pattern.compile("^jobs\\[(\\d+)]\\.?(?:: )?");
  private static final int TOO_MANY = 429;
  /** How long a server that takes no more for now is waited for, without any progress. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  /** Below what the server takes in one request, in characters. */
  private static final int LARGEST = 8 * 1024 * 1024;

  private final Console console;
  private final Rest rest;
  private final ObjectNode defaults;
  private final int size;
  private long enqueued;
  private long duplicates;
  private long lastLine;
  private long read;

  Bulk(Console console, Rest rest, ObjectNode defaults, int size) {
    this.console = console;
    this.rest = rest;
    this.defaults = defaults;
    this.size = size;
  }

  /** Enqueues all that is to be read; {@code total} is its size, 0 where that is not known. */
  void run(Ndjson lines, long total) throws IOException {
    try (Progress progress = new Progress(console, total)) {
      List<Ndjson.Line> batch = new ArrayList<>();
      long length = 0;
      for (Ndjson.Line line = next(lines); line != null; line = next(lines)) {
        batch.add(line);
        length += line.length();
        if (batch.size() == size || length > LARGEST) {
          send(batch);
          read += length;
          progress.at(read, Words.count(enqueued + duplicates, "job"));
          batch.clear();
          length = 0;
        }
      }
      if (!batch.isEmpty()) {
        send(batch);
      }
    }
  }

  private Ndjson.@Nullable Line next(Ndjson lines) throws IOException {
    try {
      return lines.next();
    } catch (Ndjson.WrongLine e) {
      throw stopped(Exit.FAILED, List.of("line " + e.number() + " " + e.why()));
    }
  }

  private void send(List<Ndjson.Line> batch) {
    Rest.Reply reply = answer(batch);
    if (!reply.isGood()) {
      CommandException refused = rest.refused(reply);
      throw stopped(
          refused.exit(),
          refused.lines().stream().map(line -> named(line, batch)).toList());
    }
    reply.json().path("items").valueStream().forEach(item -> {
      if (item.path("duplicate").asBoolean()) {
        duplicates++;
      } else {
        enqueued++;
      }
    });
    lastLine = batch.getLast().number();
  }

  private Rest.Reply answer(List<Ndjson.Line> batch) {
    ObjectNode body = body(batch);
    Duration waited = Duration.ZERO;
    while (true) {
      Rest.Reply reply = exchange(body, batch);
      Duration pause = Duration.ofSeconds(reply
          .retryAfter()
          .filter(seconds -> seconds.matches("\\d{1,4}"))
          .map(Long::valueOf)
          .orElse(1L));
      waited = waited.plus(pause);
      if (reply.status() != TOO_MANY
          || waited.compareTo(PATIENCE) > 0
          || !console.pace().pause(pause)) {
        return reply;
      }
    }
  }

  private Rest.Reply exchange(ObjectNode body, List<Ndjson.Line> batch) {
    try {
      return rest.send("POST", "/v1/jobs/batch", body);
    } catch (CommandException e) {
      if (e.exit() == Exit.UNREACHABLE) {
        throw stopped(e.exit(), e.lines());
      }
      List<String> lines = new ArrayList<>(e.lines());
      lines.add("lines " + batch.getFirst().number() + " to " + batch.getLast().number()
          + " may be in, all of them or none; with an idempotencyKey each they can be sent again");
      lines.add(words() + " for certain: all up to line " + lastLine);
      throw new CommandException(e.exit(), lines);
    }
  }

  private ObjectNode body(List<Ndjson.Line> batch) {
    ArrayNode jobs = Json.array();
    batch.forEach(line -> jobs.add(withDefaults(line.job())));
    ObjectNode body = Json.object();
    body.set("jobs", jobs);
    return body;
  }

  private JsonNode withDefaults(ObjectNode job) {
    ObjectNode whole = defaults.deepCopy();
    whole.setAll(job);
    return whole;
  }

  /** A complaint about {@code jobs[3].x} as one about the line that the job stands on. */
  private static String named(String line, List<Ndjson.Line> batch) {
    Matcher matcher = INDEX.matcher(line);
    if (!matcher.find() || Integer.parseInt(matcher.group(1)) >= batch.size()) {
      return line;
    }
    long number = batch.get(Integer.parseInt(matcher.group(1))).number();
    return "line " + number + ": " + line.substring(matcher.end());
  }

  private CommandException stopped(Exit exit, List<String> why) {
    List<String> lines = new ArrayList<>(why);
    lines.add(
        lastLine == 0
            ? "nothing was enqueued"
            : words() + ": all up to line " + lastLine + ", none after it");
    if (lastLine > 0) {
      lines.add("mend it and go on with --skip " + lastLine);
    }
    return new CommandException(exit, lines);
  }

  /** "1,200 jobs enqueued, 3 were there before". */
  String words() {
    return Words.count(enqueued, "job") + " enqueued"
        + (duplicates == 0 ? "" : ", %,d were there before".formatted(duplicates));
  }

  JsonNode figures() {
    return Json.object().put("enqueued", enqueued).put("duplicates", duplicates);
  }
}
