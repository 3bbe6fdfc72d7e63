package io.sluice.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the docs as something to run: its blocks of commands, each with what it should print. */
record ShellPage(List<Block> blocks, Standins standins) {
  /** A block of {@code sh} or {@code sql}, the line it begins at, and the {@code text} that follows it. */
  record Block(String kind, int line, String text, @Nullable String prints) {}

  static ShellPage of(Path file, Standins standins) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    int at = 0;
    while (at < lines.size()) {
      String fence = lines.get(at);
      if (!fence.startsWith("```")) {
        at++;
        continue;
      }
      int end = at + 1 + lines.subList(at + 1, lines.size()).indexOf("```");
      String text = standins.in(String.join("\n", lines.subList(at + 1, end)));
      add(blocks, fence.substring(3), at + 1, text);
      at = end + 1;
    }
    return new ShellPage(blocks, standins);
  }

  private static void add(List<Block> blocks, String kind, int line, String text) {
    if (kind.equals("sh") || kind.equals("sql")) {
      blocks.add(new Block(kind, line, text, null));
    } else if (kind.equals("text")) {
      Block before = blocks.removeLast();
      blocks.add(new Block(before.kind, before.line, before.text, text));
    }
  }
}
