package io.sluice.cli;

import java.util.List;

/** The end of a command that could not do its work: what to tell the person, and the exit code. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;
  private final transient List<String> lines;

  public CommandException(Exit exit, List<String> lines) {
    super(String.join("; ", lines));
    this.exit = exit;
    this.lines = List.copyOf(lines);
  }

  public CommandException(Exit exit, String line) {
    this(exit, List.of(line));
  }

  public Exit exit() {
    return exit;
  }

  /** Full lines without a prefix: first what is wrong, then what to do. */
  public List<String> lines() {
    return lines;
  }
}
