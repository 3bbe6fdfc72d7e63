package io.sluice.benchmarks.compare;

import java.nio.file.Files;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code benchmarks/compare}, which has built both builds. */
public final class Compare {
  private Compare() {}

  public static void main(String[] args) throws Exception {
    CompareOptions options;
    try {
      options = CompareOptions.of(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (options.quick()) {
      System.out.println("a smoke test: too little is done for the figures to mean anything");
    }
    System.out.println("Ratios are this build's figures divided by the other's.");
    Comparison.Extent extent = options.quick() ? Comparison.Extent.QUICK : Comparison.Extent.FULL;
    ComparisonReport report =
        new Comparison(extent, options.ours(), options.theirs(), System.out::println).run();
    System.out.println();
    System.out.print(report.table());
    System.out.println();
    System.out.println(report.verdict());
    if (options.json() != null) {
      Files.writeString(
          options.json(), JsonMapper.builder().build().writeValueAsString(report.asData()));
      System.out.println("wrote " + options.json());
    }
  }
}
