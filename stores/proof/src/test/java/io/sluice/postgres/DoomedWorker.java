package io.sluice.postgres;

import io.sluice.JobType;
import io.sluice.Sluice;
import io.sluice.store.Claim;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.WorkerSpec;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A worker in a process of its own, made to be killed. It says on its standard output what it has in
 * its hands, and then does nothing for ever.
 */
final class DoomedWorker {
  static final Duration LEASE = Duration.ofSeconds(2);

  private DoomedWorker() {}

  public static void main(String[] args) throws InterruptedException {
    PostgresStoreBuilder builder = PostgresStore.builder().schema(args[2]);
    switch (args[0]) {
      case "claim" -> claimOnly(builder.url(args[1]).build());
      case "run" -> run(builder.url(args[1]).build());
      case "hold" -> claimOnly(builder.dataSource(stopping(args[1])).build());
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

  /** Connections that do not come back from the end of a claim under limits, and hold its rows. */
  private static PlainSource stopping(String url) {
    return () -> {
      Connection real = DriverManager.getConnection(url);
      AtomicBoolean limited = new AtomicBoolean();
      return (Connection) Proxy.newProxyInstance(
          DoomedWorker.class.getClassLoader(),
          new Class<?>[] {Connection.class},
          (self, method, arguments) -> {
            if (method.getName().equals("prepareStatement")
                && String.valueOf(arguments[0]).contains("for no key update")) {
              limited.set(true);
            }
            if (method.getName().equals("commit") && limited.get()) {
              say("holding");
              new CountDownLatch(1).await();
            }
            try {
              return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
    };
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
