package io.sluice.postgres;

import io.sluice.JobType;
import io.sluice.Sluice;
import io.sluice.store.Claim;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.WorkerSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A worker in a process of its own, made to be killed. It says on its standard output what it has in
 * its hands, and then does nothing for ever.
 */
final class DoomedWorker {
  static final Duration LEASE = Duration.ofSeconds(2);

  private DoomedWorker() {}

  public static void main(String[] args) throws InterruptedException {
    PostgresStore store = PostgresStore.builder().url(args[1]).schema(args[2]).build();
    switch (args[0]) {
      case "claim" -> claimOnly(store);
      case "run" -> run(store);
      default -> throw new IllegalArgumentException(args[0]);
    }
    new CountDownLatch(1).await();
  }

  /** Claims all there is and starts nothing. */
  private static void claimOnly(PostgresStore store) {
    store.open();
    long worker = store.workers().register(new WorkerSpec("doomed", 10, Set.of(), Set.of()), LEASE);
    List<LaneQuota> lanes = store.heads().stream().map(DoomedWorker::all).toList();
    say("claimed " + store.claim(new Claim(worker, lanes, 100)).jobs().size());
  }

  private static LaneQuota all(LaneHead head) {
    return new LaneQuota(head.laneId(), head.priority(), 100);
  }

  /** Starts jobs and never ends them. */
  private static void run(PostgresStore store) {
    Sluice sluice = Sluice.builder(store)
        .lease(LEASE)
        .handler("sturdy", Object.class, (job, context) -> hang("sturdy"))
        .handler(JobType.of("fragile", Object.class)
            .idempotent(false)
            .handle((job, context) -> hang("fragile")))
        .handler("poison", Object.class, (job, context) -> Runtime.getRuntime().halt(1))
        .build()
        .start();
    say("running " + sluice.state());
  }

  private static void hang(String type) throws InterruptedException {
    say("started " + type);
    new CountDownLatch(1).await();
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Starts one that works on a schema. */
  static Process start(String mode, Server server, String schema) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DoomedWorker.class.getName(),
            mode,
            server.url(),
            schema)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
