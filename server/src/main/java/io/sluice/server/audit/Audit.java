package io.sluice.server.audit;

import io.sluice.server.access.Caller;

/** Takes note of administrative writes. */
public interface Audit {
  /**
   * Notes that the caller did something, such as {@code queue.create}, to an object of the tenant,
   * which is told by its name or id and never by a secret.
   */
  void write(Caller caller, String tenant, String action, String object);
}
