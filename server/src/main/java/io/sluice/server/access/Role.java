package io.sluice.server.access;

import java.util.Arrays;

/** What a credential is good for. */
public enum Role {
  ADMIN,
  OPERATOR,
  PRODUCER,
  WORKER,
  VIEWER;

  public boolean may(Access access) {
    return switch (access) {
      case PUBLIC -> true;
      case READ -> this != WORKER;
      case PRODUCE -> this == ADMIN || this == OPERATOR || this == PRODUCER;
      case WORK -> this == ADMIN || this == OPERATOR || this == WORKER;
      case OPERATE -> this == ADMIN || this == OPERATOR;
      case ADMIN -> this == ADMIN;
    };
  }

  /** True when this role may do all that the other may: only then may it hand that one out. */
  public boolean covers(Role other) {
    return Arrays.stream(Access.values()).allMatch(a -> may(a) || !other.may(a));
  }
}
