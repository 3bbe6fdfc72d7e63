package io.sluice.server.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a credential is good for. */
public enum Role {
  ADMIN,
  OPERATOR,
  PRODUCER,
  WORKER,
  VIEWER,
  /** For what watches the server: it reads figures of all tenants, and no tenant's things. */
  MONITOR;

  /** The role as the API writes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role that the API writes so. */
  public static Optional<Role> labelled(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
  }

  public boolean may(Access access) {
    return switch (access) {
      case PUBLIC -> true;
      case READ -> this != WORKER && this != MONITOR;
      case PRODUCE -> this == ADMIN || this == OPERATOR || this == PRODUCER;
      case WORK -> this == ADMIN || this == OPERATOR || this == WORKER;
      case EXTEND -> may(Access.PRODUCE) || may(Access.WORK);
      case OPERATE -> this == ADMIN || this == OPERATOR;
      case MONITOR -> this == ADMIN || this == MONITOR;
      case ADMIN -> this == ADMIN;
    };
  }

  /** The roles that may, as the API writes them, in words: "operator or admin". */
  public static String thatMay(Access access) {
    List<String> labels = Arrays.stream(values())
        .filter(role -> role.may(access))
        .map(Role::label)
        .toList()
        .reversed();
    int last = labels.size() - 1;
    return last < 1
        ? String.join("", labels)
        : String.join(", ", labels.subList(0, last)) + " or " + labels.get(last);
  }

  /** True when this role may do all that the other may: only then may it hand that one out. */
  public boolean covers(Role other) {
    return Arrays.stream(Access.values()).allMatch(a -> may(a) || !other.may(a));
  }
}
