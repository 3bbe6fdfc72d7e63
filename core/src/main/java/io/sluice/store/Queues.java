package io.sluice.store;

import io.sluice.QueueSettings;
import java.util.List;
import java.util.Optional;

/** The queues of a store. The queue named {@code default} of any tenant comes into being when asked for. */
public interface Queues {
  /** Makes the queue or changes it. Capping a queue counts what it holds, exactly, in the same write. */
  void save(QueueSettings settings);

  Optional<QueueSettings> find(String tenant, String name);

  /** Every queue there is, sorted by tenant and name. */
  List<QueueSettings> list();

  /** Stops or resumes the claiming of a queue's jobs; false when there is no such queue. */
  boolean pause(String tenant, String name, boolean paused);

  /** Removes a queue that holds no unfinished job; false when it does, or is not there. */
  boolean delete(String tenant, String name);

  /** The queues that are capped, with what they hold. */
  List<QueueSize> sizes();
}
