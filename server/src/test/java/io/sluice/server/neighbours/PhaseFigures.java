package io.sluice.server.neighbours;

import io.sluice.server.neighbours.ServerWatch.MemorySample;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What came of the victim's deliveries in a phase, and the memory of the server in it.
 *
 * @param checks health checks that the victim's receiver got
 * @param attack answers that the attackers got
 */
record PhaseFigures(
    String phase,
    Deliveries deliveries,
    Times times,
    Memory memory,
    int checks,
    Map<String, Integer> attack) {

  /** Counts; lost are those that were accepted and never came. */
  record Deliveries(int sent, long delivered, long refused, long lost) {
    static Deliveries of(List<Offer> offers) {
      return new Deliveries(
          offers.size(),
          offers.stream().filter(Offer::isDelivered).count(),
          offers.stream().filter(offer -> offer.refusal() != null).count(),
          offers.stream().filter(Offer::isOwed).count());
    }
  }

  /** From enqueue to receipt, in milliseconds. */
  record Times(double p50, double p99, double most) {
    static Times of(List<Offer> offers) {
      double[] sorted = offers.stream()
          .filter(Offer::isDelivered)
          .mapToDouble(Offer::millis)
          .sorted()
          .toArray();
      return new Times(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(double[] sorted, double share) {
      return sorted.length == 0
          ? Double.NaN
          : sorted[(int) Math.max(0, Math.ceil(sorted.length * share) - 1)];
    }
  }

  /** The most of a phase, in MiB. */
  record Memory(double resident, double heap) {
    static Memory of(List<MemorySample> samples) {
      return new Memory(most(samples, MemorySample::resident), most(samples, MemorySample::heap));
    }

    private static double most(List<MemorySample> samples, ToDoubleFunction<MemorySample> value) {
      return samples.stream().mapToDouble(value).filter(Double::isFinite).max().orElse(Double.NaN);
    }
  }

  /** The p99 that a neighbour may cause, in milliseconds: twice that of a phase alone and a quarter of a second. */
  double bound() {
    return 2 * times.p99() + 250;
  }
}
