package io.sluice.store;

import io.sluice.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A circle that a new job of a batch would close: it waits for one that cannot end before the batch does.
 * The way leads from that one to the batch, and nothing on it can end before the next.
 */
public record Circle(int place, List<Stop> way) {
  private static final int SHOWN = 6;

  /** A job or a batch on the way. */
  public record Stop(UUID id, boolean isBatch) {
    String words() {
      return (isBatch ? "batch " : "job ") + id;
    }
  }

  public Circle {
    List<Stop> stops = new ArrayList<>(way);
    // Whoever is in a batch is in all that this is in.
    while (stops.size() > 1
        && stops.getLast().isBatch()
        && stops.get(stops.size() - 2).isBatch()) {
      stops.removeLast();
    }
    way = List.copyOf(stops);
  }

  /** What the one who wants the job is told. */
  public SluiceException refusal() {
    StringBuilder words =
        new StringBuilder("must not name ").append(way.getFirst().words());
    int hidden = Math.max(0, way.size() - SHOWN);
    for (int i = 1; i < way.size(); i++) {
      if (hidden > 0 && i == SHOWN / 2) {
        words.append(", and so on over ").append(hidden).append(" more");
        i += hidden;
      }
      words.append(way.get(i - 1).isBatch() ? ", which has " : ", which waits for ");
      words.append(way.get(i).words());
    }
    return SluiceException.invalid(
        "jobs[" + place + "].after",
        words.append(", which this job is in: neither would ever end").toString());
  }
}
