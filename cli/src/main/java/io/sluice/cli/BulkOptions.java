package io.sluice.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Many jobs at once: a file of them, and how it is taken. */
final class BulkOptions {
  @Option(
      names = "--from",
      order = 51,
      paramLabel = "FILE|-",
      description = "many jobs: one JSON object on each line (NDJSON)")
  private @Nullable String from;

  @Option(
      names = "--skip",
      order = 52,
      paramLabel = "N",
      description = "with --from: leaves out the first N lines, to go on after an error")
  private long skip;

  @Option(
      names = "--batch",
      order = 53,
      paramLabel = "N",
      description = "with --from: jobs in one request, all or none of them (500)")
  private int batch = 500;

  boolean isGiven() {
    return from != null;
  }

  /** Enqueues every line, and returns the code to end with. */
  int run(Console console, Rest rest, ObjectNode defaults, View view) {
    if (batch < 1 || batch > 10_000) {
      throw new CommandException(Exit.MISUSED, "--batch must be 1 to 10000, was " + batch);
    }
    if (skip < 0) {
      throw new CommandException(Exit.MISUSED, "--skip must be 0 or more, was " + skip);
    }
    String name = String.valueOf(from);
    try {
      return run(console, name, new Bulk(console, rest, defaults, batch), view);
    } catch (IOException e) {
      throw Source.unreadable("--from", name, e);
    }
  }

  private int run(Console console, String name, Bulk bulk, View view) throws IOException {
    if (name.equals("-")) {
      bulk.run(new Ndjson(console.in(), skip), 0);
    } else {
      Path file = Path.of(name);
      check(file);
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
        bulk.run(new Ndjson(in, skip), Files.size(file));
      }
    }
    view.done(console, bulk.figures(), bulk.words());
    return Exit.OK.code();
  }

  /** Looks at every line before anything is sent: a file can be read twice. */
  private void check(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      Ndjson lines = new Ndjson(in, skip);
      while (lines.next() != null) {
        // Reading is the check.
      }
    } catch (Ndjson.WrongLine e) {
      throw new CommandException(
          Exit.FAILED,
          java.util.List.of("line " + e.number() + " " + e.why(), "nothing was enqueued"));
    }
  }
}
