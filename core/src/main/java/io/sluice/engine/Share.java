package io.sluice.engine;

import io.sluice.Lane;

/** A queue of a tenant, as one of those that share the slots. */
record Share(String tenant, String queue) {
  static Share of(Lane lane) {
    return new Share(lane.tenant(), lane.queue());
  }

  static Share of(Unit unit) {
    return of(unit.first().lane());
  }
}
