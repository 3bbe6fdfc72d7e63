package io.sluice.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a credential is good for. */
public enum Role {
  ADMIN,
  OPERATOR,
  PRODUCER,
  WORKER,
  VIEWER;

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
      case READ -> this != WORKER;
      case PRODUCE -> this == ADMIN || this == OPERATOR || this == PRODUCER;
      case WORK -> this == ADMIN || this == OPERATOR || this == WORKER;
      case EXTEND -> may(Access.PRODUCE) || may(Access.WORK);
      case OPERATE -> this == ADMIN || this == OPERATOR;
      case ADMIN -> this == ADMIN;
    };
  }

  /** True when this role may do all that the other may: only then may it hand that one out. */
  public boolean covers(Role other) {
    return Arrays.stream(Access.values()).allMatch(a -> may(a) || !other.may(a));
  }
}
