package io.sluice.server.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An attacker in a process of its own, which ends when its standard input does and prints the answers that it got. In
 * the process of the victim, its threads would delay the victim's, and the delay would count as the server's.
 */
final class AttackerProcess {
  private final TestTenant tenant;
  private final Process process;

  private AttackerProcess(TestTenant tenant, Process process) {
    this.tenant = tenant;
    this.process = process;
  }

  static AttackerProcess start(Attack attack, TestTenant tenant, String address)
      throws IOException {
    List<String> line = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        AttackerProcess.class.getName(),
        attack.title(),
        address,
        tenant.id(),
        tenant.name(),
        tenant.admin().address(),
        tenant.admin().key()));
    for (Role role : Role.values()) {
      line.add(tenant.keys().get(role));
    }
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new AttackerProcess(tenant, process);
  }

  TestTenant tenant() {
    return tenant;
  }

  /** Has the attack end and returns the answers that it got; fails where it broke by itself and so was none. */
  Map<String, Integer> stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    Map<String, Integer> answers = new HashMap<>();
    for (String line : process.inputReader(StandardCharsets.UTF_8).lines().toList()) {
      String[] parts = line.split("\t", 2);
      answers.put(parts[1], Integer.parseInt(parts[0]));
    }
    assertThat(process.waitFor()).as("exit code of an attacker").isZero();
    return answers;
  }

  public static void main(String[] arguments) throws Exception {
    Attack attack = Attack.all().stream()
        .filter(one -> one.title().equals(arguments[0]))
        .findFirst()
        .orElseThrow();
    Map<Role, String> keys = new HashMap<>();
    for (Role role : Role.values()) {
      keys.put(role, arguments[6 + role.ordinal()]);
    }
    TestTenant tenant =
        new TestTenant(arguments[2], arguments[3], keys, new Client(arguments[4], arguments[5]));
    Attacker attacker = Attacker.start(attack, tenant, arguments[1]);
    while (System.in.read() >= 0) {
      // Nothing is sent: the end is the sign to stop.
    }
    attacker.stop();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    attacker.answers().forEach((answer, count) -> out.println(count + "\t" + answer));
    System.exit(0);
  }
}
