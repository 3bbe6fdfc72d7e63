package io.sluice.store;

import io.sluice.Enqueued;
import java.sql.Connection;
import java.util.List;

/** A store that can write inside its caller's own database transaction. */
public interface TransactionalStore extends JobStore {
  /** As {@link JobStore#insert}, but part of the caller's transaction: it decides. */
  List<Enqueued> insert(Connection connection, List<NewJob> jobs);

  /** Ends one claim as part of the caller's transaction; false when the claim is over. */
  boolean finish(Connection connection, Finish finish);
}
