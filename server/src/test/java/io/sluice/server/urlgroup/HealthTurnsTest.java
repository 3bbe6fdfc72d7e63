package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.urlgroup.GroupHealth.Check;
import io.sluice.server.urlgroup.GroupHealth.Turn;
import io.sluice.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose turn a check is, of any number of instances, and what a check makes of a group's state. */
class HealthTurnsTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Check PASSED = new Check(ManualClock.START, true, 200, 5, null);
  private static final Check FAILED = new Check(ManualClock.START, false, 500, 5, "it did");

  private final GroupTables tables = new GroupTables();
  private final GroupHealth health =
      new GroupHealth(tables.tables.database(), tables.groups, tables.json);

  @AfterEach
  void close() {
    tables.close();
  }

  private UrlGroup group(String name, String more) {
    return group("default", name, more);
  }

  private UrlGroup group(String tenant, String name, String more) {
    return tables.group(tenant, name, ",\"healthCheck\":{\"endpoint\":\"/h\"" + more + "}");
  }

  private List<Turn> claim() {
    return health.claim(tables.ids.next(), 100);
  }

  private static HealthRules rules(Turn turn) {
    return HealthRules.of(turn.group().settings().healthCheck());
  }

  private String report(Turn turn, Check check) {
    return health.report(turn, rules(turn), check, Duration.ZERO).orElse("lost");
  }

  @Test
  void check_isOneInstancesTurn_howeverManyAsk() throws Exception {
    for (int i = 0; i < 20; i++) {
      group("t" + i % 5, "g" + i, "");
    }
    ConcurrentLinkedQueue<Turn> turns = new ConcurrentLinkedQueue<>();
    List<Thread> instances = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      instances.add(Thread.ofVirtual().start(() -> {
        for (int round = 0; round < 20; round++) {
          turns.addAll(health.claim(tables.ids.next(), 3));
        }
      }));
    }
    for (Thread instance : instances) {
      instance.join();
    }
    assertThat(turns)
        .extracting(turn -> turn.group().name())
        .doesNotHaveDuplicates()
        .hasSize(20);
    assertThat(claim()).isEmpty();
  }

  @Test
  void tenantWithManyChecks_leavesTurnsToOthers() {
    for (int i = 0; i < 50; i++) {
      group("noisy", "g" + i, "");
    }
    group("quiet", "only", "");
    List<Turn> turns = health.claim(tables.ids.next(), 5);
    assertThat(turns).filteredOn(turn -> turn.group().tenant().equals("quiet")).hasSize(1);
    assertThat(turns).hasSize(1 + GroupHealth.SHARE);
    assertThat(claim()).isEmpty();

    health.report(turns.getFirst(), rules(turns.getFirst()), PASSED, LONG);
    health.report(turns.getLast(), rules(turns.getLast()), PASSED, LONG);
    assertThat(claim())
        .hasSizeBetween(1, 2)
        .allMatch(turn -> turn.group().tenant().equals("noisy"));
    assertThat(claim()).isEmpty();
  }

  @Test
  void checkOfADeadInstance_isTakenOver_andItsLateWordIsNotTaken() {
    group("g", "");
    Turn first = claim().getFirst();
    assertThat(claim()).isEmpty();
    tables.tables.execute(
        "update url_group_health set claimed_until = now() - interval '1 second'");
    Turn second = claim().getFirst();
    assertThat(report(first, FAILED)).isEqualTo("lost");
    assertThat(report(second, PASSED)).isEqualTo("passing");
  }

  @Test
  void nextCheck_isDueWhenItsTimeHasCome() {
    UrlGroup group = group("g", "");
    Turn turn = claim().getFirst();
    health.report(turn, rules(turn), PASSED, LONG);
    assertThat(claim()).isEmpty();
    assertThat(health.read(group.id()).orElseThrow().checks()).containsExactly(PASSED);
    tables.tables.execute("update url_group_health set due_at = now()");
    assertThat(claim()).hasSize(1);
  }

  @Test
  void state_changesAfterSoManyInARow() {
    group("g", ",\"failureThreshold\":3,\"successThreshold\":2");
    List<Check> checks = List.of(
        PASSED, FAILED, FAILED, PASSED, FAILED, FAILED, FAILED, PASSED, FAILED, PASSED, PASSED);
    List<String> states = new ArrayList<>();
    for (Check check : checks) {
      states.add(report(claim().getFirst(), check));
    }
    assertThat(states)
        .containsExactly(
            "passing", "passing", "passing", "passing", "passing", "passing", "failing", "failing",
            "failing", "failing", "passing");
  }

  @Test
  void firstCheck_decidesAlone_andTenAreKept() {
    UrlGroup group = group("g", ",\"failureThreshold\":3");
    assertThat(report(claim().getFirst(), FAILED)).isEqualTo("failing");
    for (int i = 0; i < 12; i++) {
      report(claim().getFirst(), PASSED);
    }
    assertThat(health.read(group.id()).orElseThrow().checks()).hasSize(10).containsOnly(PASSED);
  }

  @Test
  void disabledGroup_isNotChecked() {
    UrlGroup group = group("g", "");
    tables.groups.change(
        "default",
        group.id(),
        draft ->
            new Draft(draft.body().withEnabled(false), draft.secrets(), draft.previousUntil()));
    assertThat(claim()).isEmpty();
  }
}
