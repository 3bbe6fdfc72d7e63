package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** The jobs or dead letters that something is done to: by id, by what they have in common, or all. */
final class Chosen {
  @Parameters(arity = "0..*", paramLabel = "JOB", description = "ids")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--all", order = 5, description = "all of them")
  private boolean all;

  @Mixin
  private JobFilter filter = new JobFilter();

  List<String> ids() {
    return ids;
  }

  JobFilter filter() {
    return filter;
  }

  boolean isAll() {
    return all;
  }

  /** The body of the bulk call that does it to those that fit, or to all. */
  ObjectNode body(Console console) {
    ObjectNode body = filter.body(console.pace());
    return all ? body.put("all", true) : body;
  }

  /** True for ids. Refuses what says nothing, so that nothing is done to all by a slip, or too much. */
  boolean isByIds(Console console) {
    return isByIds(console, false);
  }

  /** As {@link #isByIds(Console)}, where more may narrow than the filter. */
  boolean isByIds(Console console, boolean narrowed) {
    boolean filtered = narrowed || !filter.isEmpty(console.pace());
    int ways = (ids.isEmpty() ? 0 : 1) + (all ? 1 : 0) + (filtered ? 1 : 0);
    if (ways != 1) {
      throw new CommandException(
          Exit.MISUSED,
          ways == 0
              ? "say which: ids, a filter such as --queue, or --all"
              : "say which in one way: ids, a filter such as --queue, or --all");
    }
    return !ids.isEmpty();
  }
}
