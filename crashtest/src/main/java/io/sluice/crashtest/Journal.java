package io.sluice.crashtest;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The history that one process writes: a file to which lines are only added, each handed to the kernel
 * before the call returns, so that a kill loses nothing but a line half written.
 */
final class Journal implements AutoCloseable {
  private static final String SUFFIX = ".history";

  /** Not a channel: an interrupted handler would close it. */
  private final FileOutputStream file;

  private Journal(FileOutputStream file) {
    this.file = file;
  }

  static Journal open(Path folder, String name) {
    try {
      Files.createDirectories(folder);
      return new Journal(new FileOutputStream(folder.resolve(name + SUFFIX).toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void write(Entry entry) {
    try {
      file.write((entry.line() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that was written under names beginning so, in the order of time. */
  static List<Entry> read(Path folder, String prefix) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Entry> entries = new ArrayList<>();
      for (Path path : files.sorted().toList()) {
        String name = path.getFileName().toString();
        if (name.startsWith(prefix) && name.endsWith(SUFFIX)) {
          entries.addAll(parse(Files.readString(path)));
        }
      }
      entries.sort(Comparator.comparingLong(Entry::at));
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of one file; what follows the last line's end was torn by a kill and is left out. */
  static List<Entry> parse(String text) {
    int end = text.lastIndexOf('\n');
    return end < 0
        ? List.of()
        : text.substring(0, end).lines().map(Entry::parse).toList();
  }
}
