package io.sluice.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker that signs on: a name for people, how many jobs it runs at once, the types it handles, and
 * those among them that must not run twice. {@code tenant} and {@code queue} say where a remote worker
 * pulls from; an engine has neither, for it serves them all. A remote worker that names no type takes
 * every type but {@link #HTTP}.
 */
public record WorkerSpec(
    String name,
    int slots,
    Set<String> types,
    Set<String> fragileTypes,
    @Nullable String tenant,
    @Nullable String queue) {
  /** The type of jobs that are delivered by HTTP. */
  public static final String HTTP = "http";

  public WorkerSpec {
    types = Set.copyOf(types);
    fragileTypes = Set.copyOf(fragileTypes);
    if ((tenant == null) != (queue == null)) {
      throw new IllegalArgumentException("a worker has a tenant and a queue, or neither");
    }
  }

  /** An engine. */
  public WorkerSpec(String name, int slots, Set<String> types, Set<String> fragileTypes) {
    this(name, slots, types, fragileTypes, null, null);
  }

  /** A worker that pulls jobs of one queue. */
  public static WorkerSpec remote(
      String tenant, String queue, String name, int slots, Set<String> types) {
    return new WorkerSpec(name, slots, types, Set.of(), tenant, queue);
  }

  /** True when it takes jobs of this type from this queue. */
  public boolean handles(String ofTenant, String ofQueue, String type) {
    if (tenant == null) {
      return types.contains(type);
    }
    return tenant.equals(ofTenant)
        && ofQueue.equals(queue)
        && (types.isEmpty() ? !type.equals(HTTP) : types.contains(type));
  }
}
