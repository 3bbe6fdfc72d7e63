package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.CancelResult;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.LogLine;
import io.sluice.Predecessor;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.When;
import io.sluice.store.ClaimRef;
import io.sluice.store.LaneHead;
import io.sluice.store.Look;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
  @AutoClose
  private final Scene scene = new Scene();

  @Test
  void claim_ordersIdsUnsigned() {
    List<UUID> ids = List.of(new UUID(1, 1), new UUID(1, -1), new UUID(-1, 0), new UUID(-1, -1));
    for (UUID id : ids.reversed()) {
      scene.add(new NewJob(id, Scene.LANE, Scene.spec(), When.now(), false));
    }
    assertThat(scene.store.page(JobFilter.all(), null, 10).items())
        .extracting(job -> job.id())
        .isEqualTo(ids.reversed());
    assertThat(scene.claim(10)).extracting(claimed -> claimed.ref().job()).isEqualTo(ids);
  }

  @Test
  void insert_isRefusedWhole_beyondMaxJobs() {
    try (Scene small = new Scene(MemoryStore.builder().maxJobs(3))) {
      small.add();
      small.add();
      List<NewJob> two = List.of(
          small.job(Scene.LANE, Scene.spec(), When.now()),
          small.job(Scene.LANE, Scene.spec(), When.now()));
      assertCode(ErrorCode.QUEUE_FULL, () -> small.store.insert(two));
      assertThat(small.store.page(JobFilter.all(), null, 10).items()).hasSize(2);
      small.add();
      assertCode(ErrorCode.QUEUE_FULL, small::add);
    }
  }

  @Test
  void insert_makesRoom_fromFinishedJobs_andNeverFromWaitingOnes() {
    try (Scene small = new Scene(MemoryStore.builder().maxJobs(2))) {
      UUID finished = small.ended(JobState.COMPLETED);
      UUID waiting = small.add();
      UUID next = small.add();
      assertThat(small.store.find(finished)).isEmpty();
      assertCode(ErrorCode.QUEUE_FULL, small::add);
      assertThat(small.store.find(waiting)).isPresent();
      assertThat(small.store.find(next)).isPresent();
    }
  }

  @Test
  void insert_refusesAKnownId() {
    NewJob job = scene.job(Scene.LANE, Scene.spec(), When.now());
    assertCode(ErrorCode.CONFLICT, () -> scene.store.insert(List.of(job, job)));
    assertThat(scene.store.find(job.id())).isEmpty();
    scene.add(job);
    assertCode(ErrorCode.CONFLICT, () -> scene.add(job));
  }

  @Test
  void insert_takesOverTheKey_ofAJobPastItsKeeping() {
    UUID old = scene.add(scene.job(Scene.LANE, Scene.keyed("k"), When.now()));
    scene.store.cancel(old, "no", Scene.KEEP);
    assertThat(scene.add(scene.job(Scene.LANE, Scene.keyed("k"), When.now()))).isEqualTo(old);
    scene.advance(Scene.KEEP);
    UUID young = scene.add(scene.job(Scene.LANE, Scene.keyed("k"), When.now()));
    assertThat(young).isNotEqualTo(old);
    assertThat(scene.store.purge()).isZero();
    assertThat(scene.add(scene.job(Scene.LANE, Scene.keyed("k"), When.now()))).isEqualTo(young);
  }

  @Test
  void everyMove_isChecked() {
    Shelf shelf = new Shelf();
    LaneEntry lane = shelf.lane(Scene.LANE);
    JobEntry job = new JobEntry(new UUID(0, 1), lane, Scene.spec(), scene.instant());
    shelf.add(job);
    Ending ending = Ending.of(scene.instant(), Scene.KEEP, null, null);
    assertThatThrownBy(() -> shelf.end(job, JobState.COMPLETED, ending))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("PENDING and cannot become COMPLETED");
    assertThat(job.state).isEqualTo(JobState.PENDING);
    assertThat(shelf.lanes.look(Look.ALL).heads()).hasSize(1);
  }

  @Test
  void promote_goesRoundTheLanes_overSeveralCalls() {
    Lane other = Lane.of("default", "default", "sms");
    for (int i = 0; i < 10; i++) {
      scene.addLater(Scene.LANE, Duration.ofSeconds(1));
    }
    UUID quiet = scene.addLater(other, Duration.ofSeconds(2));
    assertThat(scene.store.promote(5)).isEqualTo(new Promotion(0, Duration.ofSeconds(1)));
    scene.advance(Duration.ofSeconds(2));
    assertThat(scene.store.promote(1)).isEqualTo(new Promotion(1, Duration.ZERO));
    assertThat(scene.store.promote(1).moved()).isOne();
    assertThat(scene.store.find(quiet).orElseThrow().state()).isEqualTo(JobState.PENDING);
    assertThat(scene.store.promote(100)).isEqualTo(new Promotion(9, null));
  }

  @Test
  void lanesAreForgotten_whenTheirLastJobIs() {
    scene.ended(JobState.DEAD);
    scene.advance(Scene.KEEP);
    assertThat(scene.store.purge()).isOne();
    assertThat(scene.store.counts(null)).isEmpty();
    UUID job = scene.add();
    assertThat(scene.store.heads()).extracting(LaneHead::first).containsExactly(job);
  }

  @Test
  void whatIsPastItsKeeping_isNowhere_beforeThePurge() {
    UUID job = scene.ended(JobState.DEAD);
    assertThat(scene.store.counts(null)).hasSize(1);
    scene.advance(Scene.KEEP);
    assertThat(scene.store.find(job)).isEmpty();
    assertThat(scene.store.page(JobFilter.all(), null, 10).items()).isEmpty();
    assertThat(scene.store.counts(null)).isEmpty();
    assertThat(scene.store.deadReasons(JobFilter.all())).isEmpty();
    assertThat(scene.store.replay(job)).isFalse();
    assertThat(scene.store.delete(job)).isFalse();
    assertThat(scene.store.cancel(job, "x", Scene.KEEP)).isEqualTo(CancelResult.NOT_FOUND);
    assertThat(scene.store.purge()).isOne();
  }

  @Test
  void page_findsWhatIsFarBack() {
    UUID needle = scene.add(scene.job(Lane.of("a", "default", "rare"), Scene.spec(), When.now()));
    scene.store.insert(IntStream.range(0, 10_000)
        .mapToObj(i -> scene.job(Scene.LANE, Scene.spec(), When.now()))
        .toList());
    assertThat(scene.store.page(JobFilter.all().ofType("rare"), null, 10).items())
        .extracting(job -> job.id())
        .containsExactly(needle);
    String cursor = null;
    List<UUID> all = new ArrayList<>();
    do {
      var page = scene.store.page(JobFilter.all(), cursor, 250);
      page.items().forEach(job -> all.add(job.id()));
      cursor = page.nextCursor();
    } while (cursor != null);
    assertThat(all).hasSize(10_001).doesNotHaveDuplicates().endsWith(needle);
  }

  @Test
  void page_refusesAForeignCursor() {
    assertCode(ErrorCode.INVALID_MESSAGE, () -> scene.store.page(JobFilter.all(), "hm", 1));
  }

  @Test
  void logsAndErrors_keepTheNewest() {
    ClaimRef ref = scene.running();
    List<String> lines = IntStream.range(0, 250).mapToObj(i -> "line " + i).toList();
    assertThat(scene.store.log(ref, lines.subList(0, 150))).isTrue();
    assertThat(scene.store.log(ref, lines.subList(150, 250))).isTrue();
    assertThat(scene.store.logs(ref.job()))
        .extracting(LogLine::text)
        .isEqualTo(lines.subList(250 - Defaults.MAX_LOG_LINES, 250));
    ClaimRef turn = ref;
    for (int i = 0; i < Defaults.MAX_ERRORS + 5; i++) {
      JobError error =
          new JobError(scene.instant(), i, ErrorClass.UNKNOWN, "C", "m" + i, null, null, null);
      scene.finish(
          turn, new Verdict.Again(JobState.RETRYING, When.now(), true, Strikes.NONE, error));
      turn = scene.claim(1).getFirst().ref();
    }
    assertThat(scene.store.find(ref.job()).orElseThrow().status().errors())
        .hasSize(Defaults.MAX_ERRORS)
        .extracting(JobError::attempt)
        .startsWith(5);
  }

  @Test
  void finish_keepsForever_whenTheSumIsBeyondTime() {
    ClaimRef ref = scene.running();
    Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);
    scene.finish(ref, new Verdict.End(JobState.DEAD, null, null, null, absurd));
    assertThat(scene.store.purge()).isZero();
    assertThat(scene.store.find(ref.job())).isPresent();
  }

  @Test
  void replay_outlivesTheJobsOwnExpiry() {
    UUID job = scene.add(
        scene.job(Scene.LANE, Scene.expiring(scene.instant().plusSeconds(1)), When.now()));
    scene.advance(Duration.ofSeconds(1));
    assertThat(scene.store.expire(10)).containsExactly(job);
    assertThat(scene.store.replay(job)).isTrue();
    assertThat(scene.store.expire(10)).isEmpty();
  }

  @Test
  void leave_tellsOfFragileTypes_asLongAsClaimsAreHeld() {
    scene.add();
    long worker = scene.worker(Duration.ofDays(1));
    ClaimRef ref = scene.claim(worker, 1).getFirst().ref();
    scene.store.workers().leave(worker);
    assertThat(scene.store.workers().live()).isEmpty();
    assertThat(scene.store.workers().lost(10)).singleElement().satisfies(lost -> {
      assertThat(lost.fragileTypes()).containsExactly("mail");
      assertThat(lost.claims()).singleElement().extracting(c -> c.ref()).isEqualTo(ref);
    });
    scene.finish(ref, Verdict.unspent(Strikes.NONE));
    assertThat(scene.store.workers().lost(10)).isEmpty();
  }

  @Test
  void aStoreThatIsNotOpen_saysSo() {
    MemoryStore store = MemoryStore.create();
    assertCode(ErrorCode.PERSISTENCE_FAILURE, store::heads);
    store.open();
    store.open();
    assertThat(store.heads()).isEmpty();
    store.close();
    store.close();
    assertCode(ErrorCode.PERSISTENCE_FAILURE, store::heads);
    assertCode(ErrorCode.PERSISTENCE_FAILURE, store::open);
  }

  static void assertCode(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(SluiceException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void maxJobs_neverDropsAJobThatIsOver_whileOneNeedsIt() {
    try (Scene scene = new Scene(MemoryStore.builder().maxJobs(3))) {
      UUID first = scene.ended(JobState.COMPLETED);
      UUID other = scene.ended(JobState.COMPLETED);
      UUID open = scene.add();
      Ties ties =
          new Ties(List.of(Predecessor.of(first), Predecessor.of(open)), AfterPolicy.CANCEL, null);
      UUID waiting = scene.add(scene.job(Scene.LANE, Scene.spec().withTies(ties), When.now()));
      assertThat(scene.store.find(first)).isPresent();
      assertThat(scene.store.find(other)).isEmpty();
      assertCode(ErrorCode.QUEUE_FULL, scene::add);
      scene.store.cancel(waiting, "no", Scene.KEEP);
      UUID last = scene.add();
      assertThat(List.of(open, last))
          .allSatisfy(id -> assertThat(scene.store.find(id)).isPresent());
    }
  }
}
