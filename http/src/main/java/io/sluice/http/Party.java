package io.sluice.http;

import java.util.List;

/**
 * On whose behalf a request is made. Connections are kept for the same party only, and go to none but
 * these addresses where there are any.
 */
public record Party(String tenant, String group, Auth auth, List<Cidr> only) {
  public Party {
    only = List.copyOf(only);
  }

  /** A party without a group. */
  public static Party of(String tenant) {
    return new Party(tenant, "", new Auth.None(), List.of());
  }

  static Party of(String tenant, Group group) {
    return new Party(tenant, group.name(), group.auth(), group.ipAllowlist());
  }
}
