package io.sluice.server.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.ProgramCommand;
import io.sluice.server.ServerProcess;
import io.sluice.server.TestTenant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A tenant with 50 deliveries a second beside attackers: alone first, then beside each attack, at last beside all of them
 * together. Nothing of it may be lost or refused, and the server has to stay. How long its deliveries take is printed and
 * not judged. {@code -Dsluice.neighbours.seconds=5} has shorter phases, {@code -Dsluice.neighbours.only=heap} one attack.
 */
@Tag("long")
@Isolated("times are measured")
class NeighboursTest {
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("sluice.neighbours.seconds", 65));
  private static final Duration WARM_UP =
      TIME.compareTo(Duration.ofSeconds(15)) < 0 ? TIME : Duration.ofSeconds(15);
  private static final String ONLY = System.getProperty("sluice.neighbours.only", "");
  private static final Path REPORT = Path.of("target", "neighbours");

  /** As the launcher has it: without memory, the process ends. */
  private static final List<String> OPTIONS =
      List.of("-Xmx256m", "-XX:G1HeapRegionSize=4m", "-XX:+ExitOnOutOfMemoryError");

  @TempDir
  Path folder;

  /** What is known of a phase when it ends; deliveries are counted at the end of all. */
  private record PhaseEnd(String name, int checks, Map<String, Integer> answers) {}

  private final List<PhaseEnd> phases = new ArrayList<>();
  private ServerProcess server;
  private Client admin;
  private Victim victim;
  private ServerWatch watch;

  private ServerProcess start() {
    List<String> command = ProgramCommand.withJar(
        SilentNames.jar(folder), OPTIONS, "server", "--port", "0", "--allow-target", "127.0.0.0/8");
    return ServerProcess.of(folder, command, Map.of()).awaitReady();
  }

  @Test
  void victim_losesNothing_andIsNeverRefused_besideAttackers() throws Exception {
    try (ServerProcess process = start()) {
      server = process;
      admin = new Client(process.address(), process.key());
      try (Victim offering = new Victim(admin);
          ServerWatch watching = new ServerWatch(process, admin)) {
        victim = offering;
        watch = watching;
        runAll();
        NeighboursReport report = new NeighboursReport(figures(), watch.samples(), victim.offers());
        System.out.print(report.table());
        report.write(REPORT);
        judge();
      }
      assertThat(process.stop()).as(process.err()).isZero();
    }
  }

  private void runAll() throws Exception {
    victim.offer("warm-up", WARM_UP);
    victim.awaitDeliveries(() -> !server.isAlive());
    List<Attack> attacks =
        Attack.all().stream().filter(attack -> attack.title().contains(ONLY)).toList();
    phase("alone", List.of());
    for (Attack attack : attacks) {
      phase(attack.title(), List.of(attack));
    }
    if (attacks.size() > 1) {
      phase("all", attacks);
    }
  }

  private void phase(String name, List<Attack> attacks) throws Exception {
    if (!server.isAlive()) {
      return;
    }
    int checks = victim.checks();
    List<AttackerProcess> attackers = new ArrayList<>();
    for (int i = 0; i < attacks.size(); i++) {
      TestTenant tenant = TestTenant.make(admin, "attacker-" + phases.size() + "-" + i);
      attackers.add(AttackerProcess.start(attacks.get(i), tenant, "127.0.0." + (30 + i)));
    }
    watch.phase(name);
    victim.offer(name, TIME);
    watch.phase("");
    checks = victim.checks() - checks;
    Map<String, Integer> answers = new HashMap<>();
    for (AttackerProcess attacker : attackers) {
      attacker.stop().forEach((answer, count) -> answers.merge(answer, count, Integer::sum));
    }
    victim.awaitDeliveries(() -> !server.isAlive());
    phases.add(new PhaseEnd(name, checks, answers));
    clear(attackers);
  }

  private List<PhaseFigures> figures() {
    return phases.stream()
        .map(phase -> new PhaseFigures(
            phase.name(),
            PhaseFigures.Deliveries.of(victim.offers(phase.name())),
            PhaseFigures.Times.of(victim.offers(phase.name())),
            PhaseFigures.Memory.of(watch.samples().stream()
                .filter(sample -> sample.phase().equals(phase.name()))
                .toList()),
            phase.checks(),
            phase.answers()))
        .toList();
  }

  /** Ends what the attackers left behind, so that the next phase shows the next attack alone. */
  private void clear(List<AttackerProcess> attackers) {
    for (AttackerProcess attacker : attackers) {
      if (server.isAlive()) {
        Client.Reply deleted =
            admin.delete("/v1/tenants/" + attacker.tenant().id() + "?force=true");
        assertThat(deleted.status()).as(deleted.raw().body()).isEqualTo(204);
      }
    }
  }

  private void judge() {
    assertThat(server.isAlive()).as(server.err()).isTrue();
    assertThat(victim.offers().stream().map(Offer::refusal).filter(reason -> reason != null))
        .as("calls of the victim that were refused")
        .isEmpty();
    assertThat(victim.offers().stream().filter(Offer::isOwed).map(Offer::phase))
        .as("phases in which a delivery was lost")
        .isEmpty();
  }
}
