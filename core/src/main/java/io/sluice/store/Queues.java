package io.sluice.store;

import io.sluice.QueueSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The queues of a store. The queue named {@code default} of any tenant comes into being when asked for. */
public interface Queues {
  /**
   * Makes the queue or changes it to this, and answers what it is now. Capping a queue counts what it
   * holds, exactly, in the same write; a limit to what runs at once counts what runs already.
   */
  QueueRecord save(QueueSettings settings);

  Optional<QueueRecord> find(String tenant, String name);

  /** The queue of this tenant that has the id. */
  Optional<QueueRecord> find(String tenant, UUID id);

  /** Every queue there is, sorted by tenant and name. */
  List<QueueRecord> list();

  /** At most so many queues of a tenant, sorted by name, those after the name when one is given. */
  List<QueueRecord> list(String tenant, @Nullable String afterName, int limit);

  /** Stops or resumes the claiming of a queue's jobs; false when there is no such queue. */
  boolean pause(String tenant, String name, boolean paused);

  /** Removes a queue that holds no unfinished job; false when it does, or is not there. */
  boolean delete(String tenant, String name);

  /** The queues that are capped, with what they hold. */
  List<QueueSize> sizes();

  /**
   * Caps what all queues of a tenant together may hold, those that are made later included, or lifts
   * the cap. A first cap counts what they hold, exactly, in the same write.
   */
  void capTenant(String tenant, @Nullable TenantCap cap);

  /** The tenants that are capped, with what they hold, sorted by name. */
  List<TenantSize> tenantSizes();

  /** The tenants whose waiting jobs are in this many lanes or more, with the number of these lanes. */
  Map<String, Long> crowded(long lanes);

  /**
   * The bytes of payloads and results that are kept of these tenants, as the store keeps them. Where very
   * many jobs are kept it is an estimate. Tenants without any may be left out.
   */
  Map<String, Long> bytes(Set<String> tenants);
}
