package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.store.ClaimRef;
import io.sluice.store.Wakeups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MemoryWakeupsTest {
  @AutoClose
  private final Scene scene = new Scene();

  /** Writes down what it is told, then does something. */
  private record Witness(List<String> told, Runnable then) implements Wakeups.Listener {
    Witness() {
      this(new ArrayList<>(), () -> {});
    }

    Witness(Runnable then) {
      this(new ArrayList<>(), then);
    }

    private void note(String what) {
      told.add(what);
      then.run();
    }

    @Override
    public void work() {
      note("work");
    }

    @Override
    public void later() {
      note("later");
    }

    @Override
    public void cancelled(UUID job) {
      note("cancelled " + job);
    }

    @Override
    public void queues() {
      note("queues");
    }
  }

  @Test
  void listeners_hearOfEverything() {
    Witness witness = new Witness();
    scene.store.wakeups().listen(witness);
    ClaimRef ref = scene.running();
    scene.store.cancel(ref.job(), "no", Scene.KEEP);
    scene.store.replay(ref.job());
    scene.addLater(Scene.LANE, Duration.ofSeconds(1));
    scene.advance(Duration.ofSeconds(1));
    scene.store.promote(10);
    scene.store.queues().save(QueueSettings.of("q"));
    scene.store.queues().pause("default", "q", true);
    scene.store.queues().delete("default", "q");
    assertThat(witness.told())
        .containsExactly(
            "work",
            "cancelled " + ref.job(),
            "work",
            "later",
            "work",
            "queues",
            "queues",
            "queues");
  }

  @Test
  void listeners_hearNothing_ofWhatChangesNoWork() {
    scene.ended(JobState.COMPLETED);
    Witness witness = new Witness();
    scene.store.wakeups().listen(witness);
    scene.store.heads();
    scene.store.promote(10);
    scene.store.purge();
    scene.store.queues().delete("default", "none");
    assertThat(witness.told()).isEmpty();
  }

  @Test
  void aListenerThatThrows_breaksNeitherTheStoreNorTheOthers() {
    Witness bad = new Witness(() -> {
      throw new IllegalStateException("listener");
    });
    Witness good = new Witness();
    scene.store.wakeups().listen(bad);
    scene.store.wakeups().listen(good);
    UUID job = scene.add();
    assertThat(scene.store.find(job)).isPresent();
    assertThat(bad.told()).containsExactly("work");
    assertThat(good.told()).containsExactly("work");
  }

  @Test
  void listeners_areToldOutsideTheLock() {
    Witness witness = new Witness(() -> CompletableFuture.supplyAsync(scene.store::heads)
        .orTimeout(10, TimeUnit.SECONDS)
        .join());
    scene.store.wakeups().listen(witness);
    scene.add();
    assertThat(witness.told()).containsExactly("work");
  }

  @Test
  void listening_ends() {
    Witness witness = new Witness();
    Wakeups.Subscription once = scene.store.wakeups().listen(witness);
    Wakeups.Subscription twice = scene.store.wakeups().listen(witness);
    once.close();
    scene.add();
    assertThat(witness.told()).containsExactly("work");
    twice.close();
    scene.add();
    assertThat(witness.told()).containsExactly("work");
  }
}
