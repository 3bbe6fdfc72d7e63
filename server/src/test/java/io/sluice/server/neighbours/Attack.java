package io.sluice.server.neighbours;

import java.util.List;

/** Something that one caller does and that once harmed all tenants. */
sealed interface Attack
    permits LaneAttack,
        ConnectionAttack,
        HeapAttack,
        NameAttack,
        SearchAttack,
        HealthCheckAttack,
        LoginAttack {

  static List<Attack> all() {
    return List.of(
        new LaneAttack(),
        new ConnectionAttack(),
        new HeapAttack(),
        new NameAttack(),
        new SearchAttack(),
        new HealthCheckAttack(),
        new LoginAttack());
  }

  String title();

  /** Begins it. Returns when nothing is left to begin; what was begun goes on until the attacker is stopped. */
  void run(Attacker attacker) throws Exception;
}
