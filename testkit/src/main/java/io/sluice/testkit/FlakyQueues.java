package io.sluice.testkit;

import io.sluice.QueueSettings;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The queues of a flaky store. */
record FlakyQueues(Queues queues, Faults faults) implements Queues {
  @Override
  public QueueRecord save(QueueSettings settings) {
    return faults.pass("save", () -> queues.save(settings));
  }

  @Override
  public Optional<QueueRecord> find(String tenant, String name) {
    return faults.pass("find", () -> queues.find(tenant, name));
  }

  @Override
  public Optional<QueueRecord> find(String tenant, UUID id) {
    return faults.pass("find", () -> queues.find(tenant, id));
  }

  @Override
  public List<QueueRecord> list() {
    return faults.pass("list", () -> queues.list());
  }

  @Override
  public List<QueueRecord> list(String tenant, @Nullable String afterName, int limit) {
    return faults.pass("list", () -> queues.list(tenant, afterName, limit));
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

  @Override
  public void capTenant(String tenant, @Nullable TenantCap cap) {
    faults.pass("capTenant", () -> {
      queues.capTenant(tenant, cap);
      return true;
    });
  }

  @Override
  public List<TenantSize> tenantSizes() {
    return faults.pass("tenantSizes", queues::tenantSizes);
  }

  @Override
  public Map<String, Long> crowded(long lanes) {
    return faults.pass("crowded", () -> queues.crowded(lanes));
  }

  @Override
  public Map<String, Long> bytes(Set<String> tenants) {
    return faults.pass("bytes", () -> queues.bytes(tenants));
  }
}
