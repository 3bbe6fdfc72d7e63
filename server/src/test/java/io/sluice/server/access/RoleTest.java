package io.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each role may, written out by hand. */
class RoleTest {
  @Test
  void roles_mayWhatTheApiSays() {
    Map<Role, Set<Access>> may = Map.of(
        Role.ADMIN, EnumSet.allOf(Access.class),
        Role.OPERATOR, EnumSet.complementOf(EnumSet.of(Access.ADMIN, Access.MONITOR)),
        Role.PRODUCER, EnumSet.of(Access.PUBLIC, Access.READ, Access.PRODUCE, Access.EXTEND),
        Role.WORKER, EnumSet.of(Access.PUBLIC, Access.WORK, Access.EXTEND),
        Role.VIEWER, EnumSet.of(Access.PUBLIC, Access.READ),
        Role.MONITOR, EnumSet.of(Access.PUBLIC, Access.MONITOR));
    for (Role role : Role.values()) {
      assertThat(Arrays.stream(Access.values()).filter(role::may).collect(Collectors.toSet()))
          .as(role.label())
          .isEqualTo(may.get(role));
      assertThat(Role.labelled(role.label())).contains(role);
    }
    assertThat(Role.labelled("ADMIN")).isEmpty();
    assertThat(Role.thatMay(Access.OPERATE)).isEqualTo("operator or admin");
    assertThat(Role.thatMay(Access.READ)).isEqualTo("viewer, producer, operator or admin");
    assertThat(Role.thatMay(Access.ADMIN)).isEqualTo("admin");
  }

  @Test
  void figuresOfAllTenants_areHandedOutByAdminsAlone() {
    assertThat(Role.ADMIN.covers(Role.MONITOR)).isTrue();
    assertThat(Role.OPERATOR.covers(Role.MONITOR)).isFalse();
    assertThat(Role.MONITOR.covers(Role.VIEWER)).isFalse();
  }
}
