package io.sluice.server.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tenants and queues that have figures of their own. There are only so many of them; whoever comes
 * later is counted together, so that nobody can fill the memory of whoever collects the figures.
 */
final class Labels {
  private static final String OTHERS = "_other";
  private static final Queue OTHER = new Queue(OTHERS, OTHERS);

  /** A queue as figures name it. */
  record Queue(String tenant, String queue) {}

  private final int most;
  private final Set<Queue> known = ConcurrentHashMap.newKeySet();

  Labels(int most) {
    this.most = most;
  }

  int most() {
    return most;
  }

  Queue of(String tenant, String queue) {
    Queue label = new Queue(tenant, queue);
    if (known.contains(label)) {
      return label;
    }
    // Two at once may both find the last place: a few more than the bound do no harm.
    if (known.size() >= most) {
      return OTHER;
    }
    known.add(label);
    return label;
  }
}
