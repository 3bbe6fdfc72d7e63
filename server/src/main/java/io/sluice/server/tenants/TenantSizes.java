package io.sluice.server.tenants;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Keeps tenants within the number of unfinished jobs that they may have. What a tenant has is counted
 * now and then and added to in between, so that a single server is exact as far as jobs are taken one
 * after the other; several may together pass the mark by what they take within half a second.
 */
public final class TenantSizes {
  private static final long SOON = Duration.ofMillis(500).toNanos();
  private static final long AT_ONCE = Duration.ofMillis(100).toNanos();

  private static final class Count {
    private long jobs;
    private long at;
    private boolean counted;
  }

  /** Counts the unfinished jobs of a tenant, and may stop counting at a number. */
  public interface Counter {
    long unfinished(String tenant, long most);
  }

  private final Tenants tenants;
  private final Counter counter;
  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<String, Count> counts = new ConcurrentHashMap<>();

  public TenantSizes(Tenants tenants, Counter counter, LongSupplier nanoTime) {
    this.tenants = tenants;
    this.counter = counter;
    this.nanoTime = nanoTime;
  }

  /** Lets a tenant enqueue so many more jobs, or throws QUEUE_FULL. */
  public void admit(String tenant, int jobs) {
    Long most = tenants.lately(tenant).map(Tenant::maxSize).orElse(null);
    if (most == null) {
      counts.remove(tenant);
      return;
    }
    Count count = counts.computeIfAbsent(tenant, name -> new Count());
    synchronized (count) {
      recount(tenant, count, most, SOON);
      if (count.jobs + jobs > most) {
        recount(tenant, count, most, AT_ONCE);
      }
      if (count.jobs + jobs > most) {
        throw new SluiceException(
            ErrorCode.QUEUE_FULL,
            "tenant '" + tenant + "' has " + count.jobs + " unfinished jobs and may have " + most);
      }
      count.jobs += jobs;
    }
  }

  private void recount(String tenant, Count count, long most, long age) {
    long now = nanoTime.getAsLong();
    if (!count.counted || now - count.at >= age) {
      count.jobs = counter.unfinished(tenant, most);
      count.at = now;
      count.counted = true;
    }
  }
}
