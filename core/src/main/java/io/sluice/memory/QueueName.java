package io.sluice.memory;

import io.sluice.Lane;

/** What a queue is known by. */
record QueueName(String tenant, String name) {
  static QueueName of(Lane lane) {
    return new QueueName(lane.tenant(), lane.queue());
  }
}
