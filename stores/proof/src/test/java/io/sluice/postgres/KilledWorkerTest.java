package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.Limit;
import io.sluice.Scope;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of the jobs of a process that is killed. */
@Tag("slow")
class KilledWorkerTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final String schema = Server.newSchema();
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void clear() {
    processes.forEach(Process::destroyForcibly);
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void jobsOfOneAttempt_runAgain_whenTheirWorkerWasKilledBeforeItStartedThem() throws IOException {
    List<UUID> jobs = new ArrayList<>();
    try (Sluice producer = engine().build().start()) {
      for (int i = 0; i < 5; i++) {
        jobs.add(producer.enqueue(Jobs.of("sturdy").maxAttempts(1)).id());
      }
    }
    killAfter("claim", "claimed 5");
    try (Sluice survivor = handling().start()) {
      for (UUID id : jobs) {
        JobRecord job = ended(survivor, id);
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.attempt()).isEqualTo(1);
      }
    }
  }

  @Test
  void startedJob_runsAgainWithoutCostingAnAttempt_unlessItMustNotRunTwice() throws IOException {
    UUID sturdy;
    UUID fragile;
    try (Sluice producer = engine().build().start()) {
      sturdy = producer.enqueue(Jobs.of("sturdy").maxAttempts(1)).id();
      fragile = producer.enqueue(Jobs.of("fragile").maxAttempts(1)).id();
    }
    killAfter("run", "started sturdy", "started fragile");
    try (Sluice survivor = handling().start()) {
      assertThat(ended(survivor, sturdy).state()).isEqualTo(JobState.COMPLETED);
      assertThat(ended(survivor, sturdy).attempt()).isEqualTo(1);
      assertThat(ended(survivor, fragile).state()).isEqualTo(JobState.DEAD);
      assertThat(ended(survivor, fragile).status().reason()).isEqualTo("WORKER_LOST");
    }
  }

  @Test
  void jobThatTakesItsWorkerDown_isDeadAfterThree_andOthersAreUnharmed() throws Exception {
    UUID poison;
    List<UUID> innocent = new ArrayList<>();
    try (Sluice producer = engine().build().start()) {
      poison = producer.enqueue(Jobs.of("poison")).id();
      for (int i = 0; i < 3; i++) {
        innocent.add(producer.enqueue(Jobs.of("sturdy")).id());
      }
    }
    AtomicInteger deaths = new AtomicInteger();
    try (Sluice watcher = engine().build().start()) {
      Eventually.await("the poisoned job is dead", Duration.ofMinutes(4), () -> {
        if (watcher.find(poison).orElseThrow().state() == JobState.DEAD) {
          return true;
        }
        if (processes.stream().noneMatch(Process::isAlive)) {
          deaths.incrementAndGet();
          spawn("run");
        }
        return false;
      });
      assertThat(watcher.find(poison).orElseThrow().status().reason()).isEqualTo("WORKER_LOST");
      assertThat(deaths.get()).isGreaterThanOrEqualTo(3);
    }
    for (Process last : processes.stream().filter(Process::isAlive).toList()) {
      // Killed while one of them is alone on it, it would count against that one.
      await(last, "started sturdy", "started sturdy", "started sturdy");
      last.destroyForcibly();
    }
    try (Sluice survivor = handling().start()) {
      for (UUID id : innocent) {
        JobRecord job = ended(survivor, id);
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.status().strikes()).as("it never was alone in a death").isZero();
      }
    }
  }

  /** Its own lease is over by then; what it holds in the database is freed by the database. */
  @Test
  void limitThatAStoppedWorkerHolds_isFreed_andOthersGoOnWithinTwoLeases() throws Exception {
    UUID job;
    try (PostgresStore store = SERVER.store(schema).build()) {
      store.open();
      store.limits().save(new Limit(Scope.type("default", "sturdy"), null, 1));
    }
    try (Sluice producer = engine().build().start()) {
      job = producer.enqueue(Jobs.of("sturdy")).id();
    }
    Process stopped = spawn("hold");
    await(stopped, "holding");
    signal(stopped, "STOP");
    try (Sluice survivor = handling().start()) {
      Eventually.await(
          "the job is done",
          Defaults.LEASE.multipliedBy(2),
          () -> survivor.find(job).orElseThrow().state() == JobState.COMPLETED);
      assertThat(stopped.isAlive()).isTrue();
      signal(stopped, "CONT");
      assertThat(survivor.find(job).orElseThrow().attempt()).isEqualTo(1);
    }
  }

  private static void signal(Process process, String signal) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
            .start()
            .waitFor())
        .isZero();
  }

  private SluiceBuilder engine() {
    return Sluice.builder(SERVER.store(schema).build()).lease(DoomedWorker.LEASE);
  }

  private Sluice handling() {
    return engine()
        .handler("sturdy", Object.class, (job, context) -> {})
        .handler(JobType.of("fragile", Object.class).idempotent(false).handle((job, context) -> {}))
        .build();
  }

  private Process spawn(String mode) {
    try {
      Process process = DoomedWorker.start(mode, SERVER, schema);
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void killAfter(String mode, String... lines) throws IOException {
    Process process = spawn(mode);
    await(process, lines);
    process.destroyForcibly();
  }

  private static void await(Process process, String... lines) throws IOException {
    List<String> awaited = new ArrayList<>(List.of(lines));
    BufferedReader out = process.inputReader();
    while (!awaited.isEmpty()) {
      String line = out.readLine();
      assertThat(line).describedAs("still to come: " + awaited).isNotNull();
      awaited.remove(line);
    }
  }

  private static JobRecord ended(Sluice sluice, UUID job) {
    Eventually.await(
        "job " + job + " ends",
        Duration.ofMinutes(1),
        () -> sluice.find(job).orElseThrow().state().isFinal());
    return sluice.find(job).orElseThrow();
  }
}
