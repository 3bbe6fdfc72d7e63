package io.sluice.server.tenants;

import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hands the sizes of tenants on to the store, which holds every enqueue to them. */
public final class TenantCaps {
  private final Queues queues;

  public TenantCaps(Queues queues) {
    this.queues = queues;
  }

  /** The tenants that the store holds to a size, by name. */
  Map<String, TenantSize> sizes() {
    return queues.tenantSizes().stream()
        .collect(Collectors.toMap(TenantSize::tenant, Function.identity()));
  }

  /** Makes the store hold the tenant to its size, or to none. */
  void set(Tenant tenant) {
    set(tenant.name(), tenant.cap());
  }

  void lift(String tenant) {
    set(tenant, null);
  }

  private void set(String tenant, @Nullable TenantCap cap) {
    if (differs(sizes(), tenant, cap)) {
      queues.capTenant(tenant, cap);
    }
  }

  /** Those of these tenants that the store does not hold to the size they have. */
  List<Tenant> wrong(List<Tenant> tenants) {
    Map<String, TenantSize> sizes = sizes();
    return tenants.stream()
        .filter(tenant -> differs(sizes, tenant.name(), tenant.cap()))
        .toList();
  }

  private static boolean differs(
      Map<String, TenantSize> sizes, String tenant, @Nullable TenantCap cap) {
    TenantSize size = sizes.get(tenant);
    return !Objects.equals(size == null ? null : size.cap(), cap);
  }
}
