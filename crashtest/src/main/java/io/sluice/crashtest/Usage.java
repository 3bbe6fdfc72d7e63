package io.sluice.crashtest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How many things were there at once, and how many began within a time, by their beginnings and ends. */
final class Usage {
  /** Something that was there from a moment to another. */
  record Span(long from, long to) {}

  /** The most there were, and the moment from which they were. */
  record Peak(int count, long at) {}

  private record Edge(long at, int step) {}

  private Usage() {}

  /** The most at once; what begins at the moment at which another ends is not there with it. */
  static Peak mostAtOnce(List<Span> spans) {
    List<Edge> edges = new ArrayList<>();
    for (Span span : spans) {
      if (span.to > span.from) {
        edges.add(new Edge(span.from, 1));
        edges.add(new Edge(span.to, -1));
      }
    }
    edges.sort(Comparator.comparingLong(Edge::at).thenComparingInt(Edge::step));
    Peak peak = new Peak(0, 0);
    int now = 0;
    for (Edge edge : edges) {
      now += edge.step;
      if (now > peak.count) {
        peak = new Peak(now, edge.at);
      }
    }
    return peak;
  }

  /** How many there were from a moment to another, on the average. */
  static double mean(List<Span> spans, long from, long to) {
    double sum = 0;
    for (Span span : spans) {
      sum += Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
    }
    return sum / (to - from);
  }

  /** The most moments within any stretch of so long. */
  static Peak mostWithin(Duration length, List<Long> moments) {
    List<Long> sorted = moments.stream().sorted().toList();
    Peak peak = new Peak(0, 0);
    int first = 0;
    for (int last = 0; last < sorted.size(); last++) {
      while (sorted.get(last) - sorted.get(first) >= length.toNanos()) {
        first++;
      }
      if (last - first + 1 > peak.count) {
        peak = new Peak(last - first + 1, sorted.get(first));
      }
    }
    return peak;
  }
}
