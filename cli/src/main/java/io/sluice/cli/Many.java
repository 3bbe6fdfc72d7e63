package io.sluice.cli;

import java.util.List;
import java.util.function.Consumer;

/** One deed for each of several things: one that fails does not keep the others from theirs. */
record Many(Console console, List<String> things) {
  static Many of(Console console, List<String> things) {
    return new Many(console, things);
  }

  /** Does it for each, and returns the code of the last that failed. */
  int each(Consumer<String> deed) {
    int code = Exit.OK.code();
    for (String thing : things) {
      try {
        deed.accept(thing);
      } catch (CommandException e) {
        if (e.exit() == Exit.UNREACHABLE || e.exit() == Exit.DENIED) {
          throw e;
        }
        e.lines().forEach(line -> console.say(things.size() == 1 ? line : thing + ": " + line));
        code = e.exit().code();
      }
    }
    return code;
  }
}
