package io.sluice.benchmarks.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What was asked for on the command line of a comparison. */
record CompareOptions(
    Path ours, Path theirs, boolean quick, @Nullable Path json) {
  private static final String USAGE = "usage: OUR_WORKLOAD THEIR_WORKLOAD [--quick] [--json FILE]";

  static CompareOptions of(String... args) {
    if (args.length < 2 || args[0].startsWith("--") || args[1].startsWith("--")) {
      throw new IllegalArgumentException(USAGE);
    }
    CompareOptions options = new CompareOptions(Path.of(args[0]), Path.of(args[1]), false, null);
    for (int i = 2; i < args.length; i++) {
      options = switch (args[i]) {
        case "--quick" -> new CompareOptions(options.ours, options.theirs, true, options.json);
        case "--json" ->
          new CompareOptions(options.ours, options.theirs, options.quick, file(++i, args));
        default -> throw new IllegalArgumentException(USAGE + ", not " + args[i]);
      };
    }
    return options;
  }

  private static Path file(int index, String... args) {
    if (index == args.length) {
      throw new IllegalArgumentException("--json must name a file");
    }
    Path file = Path.of(args[index]);
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "--json must name a file in an existing folder, was " + file);
    }
    return file;
  }
}
