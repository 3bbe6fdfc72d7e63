package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.RemoteClaim;
import io.sluice.RemoteFailure;
import io.sluice.RemoteJob;
import io.sluice.Sluice;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A worker in another program, in the words of a test. */
final class Puller {
  private Puller() {}

  static final Duration LEASE = Duration.ofMinutes(5);
  static final Duration LONG_WAIT = Duration.ofSeconds(60);

  static Sluice desk(Rig rig) {
    return rig.start(rig.engine().withoutWork());
  }

  static RemoteClaim ask(int max, Duration wait) {
    return new RemoteClaim("default", "default", "puller", Set.of(), max, LEASE, wait);
  }

  static List<RemoteJob> pull(Sluice engine, int max) {
    return engine.remote().claim(ask(max, Duration.ZERO));
  }

  static RemoteJob pullOne(Sluice engine) {
    return pull(engine, 1).getFirst();
  }

  static RemoteFailure failure(boolean retry) {
    return new RemoteFailure(ErrorClass.NETWORK, "NO_ROUTE", "no way there", retry, null);
  }

  static List<UUID> ids(List<RemoteJob> jobs) {
    return jobs.stream().map(job -> job.job().id()).toList();
  }

  static CompletableFuture<List<RemoteJob>> waitFor(Sluice engine, int max) {
    return CompletableFuture.supplyAsync(
        () -> engine.remote().claim(ask(max, LONG_WAIT)),
        task -> Thread.ofVirtual().start(task));
  }

  static <T> T got(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
  }

  static List<WorkerRecord> live(Rig rig) {
    return rig.store().workers().live();
  }

  static void assertRefused(String field, ThrowingCallable call) {
    assertThat(Rig.refused(ErrorCode.INVALID_MESSAGE, call)).hasMessageContaining(field);
  }
}
