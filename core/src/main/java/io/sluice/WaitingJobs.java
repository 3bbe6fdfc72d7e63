package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that have not started or wait for another attempt: those of a tenant, and of one queue or one
 * group of URLs in it where that is named.
 */
public record WaitingJobs(
    String tenant, @Nullable String queue, @Nullable String urlGroup) {
  public static WaitingJobs ofTenant(String tenant) {
    return new WaitingJobs(tenant, null, null);
  }

  public static WaitingJobs ofQueue(String tenant, String queue) {
    return new WaitingJobs(tenant, queue, null);
  }

  public static WaitingJobs ofUrlGroup(String tenant, String urlGroup) {
    return new WaitingJobs(tenant, null, urlGroup);
  }

  public WaitingJobs inQueue(String name) {
    return new WaitingJobs(tenant, name, urlGroup);
  }

  /** True when the jobs of a lane are among them. */
  public boolean include(Lane lane) {
    return lane.tenant().equals(tenant)
        && (queue == null || queue.equals(lane.queue()))
        && (urlGroup == null || urlGroup.equals(lane.urlGroup()));
  }
}
