package io.sluice.server.audit;

import io.sluice.server.access.Caller;

/** Where administrative writes are noted. */
public interface Audit {
  void write(Caller caller, String tenant, String action, String object);
}
