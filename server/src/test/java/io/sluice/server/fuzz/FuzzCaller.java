package io.sluice.server.fuzz;

import io.sluice.server.access.Role;
import org.jspecify.annotations.Nullable;

/** Somebody who calls: a credential of this role, acting in a tenant, which the header names if need be. */
record FuzzCaller(@Nullable Role role, String key, FuzzTenant tenant, boolean namesTenant) {

  boolean isAdmin() {
    return role == Role.ADMIN;
  }

  boolean may(ApiOperation operation) {
    return operation.isOpen() || (role != null && role.may(operation.access()));
  }
}
