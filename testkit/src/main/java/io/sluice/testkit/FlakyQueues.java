package io.sluice.testkit;

import io.sluice.QueueSettings;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import java.util.List;
import java.util.Optional;

/** The queues of a flaky store. */
record FlakyQueues(Queues queues, Faults faults) implements Queues {
  @Override
  public void save(QueueSettings settings) {
    faults.pass("save", () -> {
      queues.save(settings);
      return settings;
    });
  }

  @Override
  public Optional<QueueSettings> find(String tenant, String name) {
    return faults.pass("find", () -> queues.find(tenant, name));
  }

  @Override
  public List<QueueSettings> list() {
    return faults.pass("list", queues::list);
  }

  @Override
  public boolean pause(String tenant, String name, boolean paused) {
    return faults.pass("pause", () -> queues.pause(tenant, name, paused));
  }

  @Override
  public boolean delete(String tenant, String name) {
    return faults.pass("delete", () -> queues.delete(tenant, name));
  }

  @Override
  public List<QueueSize> sizes() {
    return faults.pass("sizes", queues::sizes);
  }
}
