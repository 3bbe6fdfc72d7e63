package io.sluice.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/** All that a command has of the outside: where it reads and writes, its variables, the time. */
public record Console(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> variables,
    Screen screen,
    Pace pace) {

  /** The file in a data folder where a running server leaves its address for commands to find. */
  public static final String ADDRESS_FILE = "server.address";

  /** That of this process. */
  public static Console system() {
    return new Console(
        System.in,
        System.out,
        System.err,
        System.getenv(),
        Screen.of(System.getProperties()),
        Pace.system());
  }

  /** Complains, or says what goes on, without disturbing what is printed. */
  public void say(String line) {
    err.println("sluice: " + Words.block(line));
  }
}
