package io.sluice;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A want of room: a queue, or, where {@code queue} is null, a tenant over all its queues, held so many
 * unfinished jobs of at most so many when so many more were to come in.
 */
public record Overflow(String tenant, @Nullable String queue, long held, long maxSize, long wanted)
    implements Serializable {

  /** How many jobs have to end before there is room. */
  public long excess() {
    return Math.max(1, held + wanted - maxSize);
  }

  /** True when so many jobs do not fit into what is empty either. */
  public boolean isHopeless() {
    return wanted > maxSize;
  }

  String words() {
    String who = queue == null
        ? "tenant '%s' holds, in all its queues,".formatted(tenant)
        : "queue '%s' of tenant '%s' holds".formatted(queue, tenant);
    return "%s %d unfinished %s of at most %d and has no room for %d more"
        .formatted(who, held, held == 1 ? "job" : "jobs", maxSize, wanted);
  }
}
