package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchRecord;
import io.sluice.Graph;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Predecessor;
import io.sluice.Ties;
import io.sluice.When;
import io.sluice.store.ClaimRef;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That jobs which wait for others, and batches, come back from the file as they were. */
class LinkSnapshotTest {
  @TempDir
  private Path folder;

  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("jobs.sluice");
  }

  private Scene open() {
    return new Scene(MemoryStore.builder().snapshot(file));
  }

  private static NewJob job(
      Scene scene, String type, @Nullable UUID batch, When when, UUID... after) {
    Lane lane = Lane.of("default", "default", type);
    List<Predecessor> all = List.of(after).stream().map(Predecessor::of).toList();
    Ties ties = new Ties(all, AfterPolicy.HOLD, batch);
    return scene.job(lane, Scene.spec().withTies(ties), when);
  }

  private static void end(Scene scene, UUID job, JobState state) {
    long worker = scene.worker(Duration.ofDays(1));
    for (var claimed : scene.claim(worker, 10)) {
      ClaimRef ref = claimed.ref();
      scene.finish(
          ref,
          ref.job().equals(job)
              ? new Verdict.End(state, "{}", null, null, Scene.KEEP)
              : Verdict.unspent(claimed.strikes()));
    }
    assertThat(scene.store.find(job).orElseThrow().state()).isEqualTo(state);
  }

  @Test
  void jobsThatWait_comeBack_andGoOn() {
    UUID over;
    UUID open;
    UUID waiting;
    UUID held;
    List<JobRecord> before;
    Graph graph;
    try (Scene scene = open()) {
      over = scene.add(job(scene, "a", null, When.now()));
      open = scene.add(job(scene, "b", null, When.now()));
      end(scene, over, JobState.DEAD);
      waiting = scene.add(job(scene, "c", null, When.in(Duration.ofDays(1)), over, open));
      held = scene.add(job(scene, "d", null, When.now(), over));
      before = scene.store.page(JobFilter.all(), null, 10).items();
      graph = scene.store.links().graph(waiting, 10).orElseThrow();
    }
    try (Scene scene = open()) {
      assertThat(scene.store.page(JobFilter.all(), null, 10).items()).isEqualTo(before);
      assertThat(scene.store.links().graph(waiting, 10).orElseThrow().nodes())
          .containsExactlyInAnyOrderElementsOf(graph.nodes());
      assertThat(scene.store.promote(10).untilNext()).isNull();
      scene.advance(Scene.KEEP);
      assertThat(scene.store.purge()).as("one that is needed").isZero();
      scene.store.replay(over);
      assertThat(scene.store.links().release(held)).as("it waits again").isFalse();
      end(scene, over, JobState.COMPLETED);
      end(scene, open, JobState.COMPLETED);
      assertThat(scene.store.find(held).orElseThrow().state()).isEqualTo(JobState.PENDING);
      assertThat(scene.store.find(waiting).orElseThrow().status().runAt())
          .isEqualTo(scene.instant().minus(Scene.KEEP).plus(Duration.ofDays(1)));
    }
  }

  @Test
  void jobsCancelledBecauseOfAnother_canBeRevived() {
    UUID first;
    UUID second;
    try (Scene scene = open()) {
      first = scene.add(job(scene, "a", null, When.now()));
      Ties ties = new Ties(List.of(Predecessor.of(first)), AfterPolicy.CANCEL, null);
      second = scene.add(scene.job(Scene.LANE, Scene.spec().withTies(ties), When.now()));
      end(scene, first, JobState.DEAD);
    }
    try (Scene scene = open()) {
      assertThat(scene.store.links().revive(first)).containsExactly(first, second);
      end(scene, first, JobState.COMPLETED);
      assertThat(scene.store.find(second).orElseThrow().state()).isEqualTo(JobState.PENDING);
    }
  }

  @Test
  void batches_comeBack_andEnd() {
    UUID outer = new UUID(1, 1);
    UUID inner = new UUID(1, 2);
    NewJob first;
    NewJob second;
    NewJob callback;
    BatchRecord before;
    try (Scene scene = open()) {
      callback = job(scene, "c", null, When.now(), outer);
      first = job(scene, "a", outer, When.now());
      second = job(scene, "b", inner, When.now());
      var links = scene.store.links();
      links.start(batch(outer, null, "key", callback), List.of(first));
      links.start(batch(inner, outer, null, null), List.of(second));
      links.close(inner);
      end(scene, first.id(), JobState.COMPLETED);
      before = links.find(outer).orElseThrow();
    }
    try (Scene scene = open()) {
      var links = scene.store.links();
      assertThat(links.find(outer)).contains(before);
      assertThat(links.unfinished(outer, 10)).containsExactly(second.id());
      assertThat(links.unfinished(inner, 10)).containsExactly(second.id());
      assertThat(
              links.start(batch(new UUID(9, 9), null, "key", null), List.of()).id())
          .isEqualTo(outer);
      assertThat(links.close(outer)).isTrue();
      end(scene, second.id(), JobState.COMPLETED);
      assertThat(links.find(outer).orElseThrow().isOver()).isTrue();
      assertThat(scene.store.find(callback.id()).orElseThrow().state()).isEqualTo(JobState.PENDING);
    }
  }

  private static NewBatch batch(
      UUID id, @Nullable UUID parent, @Nullable String key, @Nullable NewJob callback) {
    return new NewBatch(id, "default", "b", true, parent, null, key, callback, Scene.KEEP);
  }
}
