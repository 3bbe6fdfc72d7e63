package io.sluice.crashtest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a checker found, and the figures of the run. */
record Report(List<Finding> findings, Map<String, String> figures) {
  private static final int SHOWN = 40;

  Report {
    findings = List.copyOf(findings);
  }

  boolean isClean() {
    return findings.isEmpty();
  }

  /** The same with findings of some kinds left out. */
  Report without(Set<Finding.Kind> kinds) {
    return new Report(
        findings.stream().filter(finding -> !kinds.contains(finding.kind())).toList(), figures);
  }

  long count(Finding.Kind kind) {
    return findings.stream().filter(f -> f.kind() == kind).count();
  }

  String text() {
    String lines = figures.entrySet().stream()
        .map(e -> String.format("%-34s %s%n", e.getKey(), e.getValue()))
        .collect(Collectors.joining());
    String kinds = Arrays.stream(Finding.Kind.values())
        .filter(kind -> count(kind) > 0)
        .map(kind -> String.format("  %-32s %d%n", kind, count(kind)))
        .collect(Collectors.joining());
    String found = findings.stream()
        .limit(SHOWN)
        .map(f -> "  " + f + System.lineSeparator())
        .collect(Collectors.joining());
    return lines + String.format("%-34s %d%n", "broken promises", findings.size()) + kinds + found;
  }
}
