package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.http.HttpCall;
import io.sluice.memory.MemoryStore;
import io.sluice.server.TestDatabase;
import io.sluice.server.secret.MasterKey;
import io.sluice.server.secret.Vault;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import io.sluice.store.LaneQuota;
import io.sluice.store.NewJob;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.Verdicts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a job and its failure callback are one. */
@Tag("slow")
class FailureCallbacksTest {
  private static final String WITH =
      "{\"url\":\"https://a.example/\",\"failureCallbackUrl\":\"https://b.example/\"}";
  private static final String WITHOUT = "{\"url\":\"https://a.example/\"}";

  private final Uuid7 ids = new Uuid7(InstantSource.system(), new SplittableRandom(7));
  private TestDatabase tables;
  private JobStore store;
  private long worker;

  @BeforeEach
  void open() {
    tables = TestDatabase.create();
    use(tables.store());
  }

  private void use(JobStore behind) {
    MasterKey key = MasterKey.parse("test", io.sluice.server.TestServer.MASTER_KEY);
    CallSecrets secrets = new CallSecrets(new Vault(tables.database(), key));
    store = new TellingStore(
        behind, new FailureCallbacks(behind, tables.database(), new CallbackJobs(secrets, ids)));
    store.open();
    worker = store
        .workers()
        .register(new WorkerSpec("w", 10, Set.of("http"), Set.of()), Duration.ofHours(1));
  }

  @AfterEach
  void close() {
    store.close();
    tables.close();
  }

  private ClaimRef running(String type, String payload) {
    NewJob job = new NewJob(
        ids.next(),
        Lane.of("default", "default", type),
        new JobSpec(payload, Priority.NORMAL, null, null, null, null, Metadata.NONE),
        When.now(),
        false);
    UUID id = store.insert(List.of(job)).getFirst().id();
    return store
        .claim(new Claim(
            worker,
            store.heads().stream()
                .map(head -> new LaneQuota(head.laneId(), head.priority(), 10))
                .toList(),
            10))
        .jobs()
        .stream()
        .filter(claimed -> claimed.ref().job().equals(id))
        .findFirst()
        .orElseThrow()
        .ref();
  }

  private List<String> callbacks() {
    return store.page(JobFilter.all().in(JobState.PENDING), null, 50).items().stream()
        .map(job -> String.valueOf(job.spec().idempotencyKey()))
        .filter(key -> key.startsWith("sluice:failure-callback:"))
        .toList();
  }

  private JobState state(ClaimRef ref) {
    return store.find(ref.job()).orElseThrow().state();
  }

  @Test
  void deadAndFailedJobs_areTold_othersAreNot() {
    ClaimRef dead = running("http", WITH);
    ClaimRef failed = running("http", WITH);
    ClaimRef plain = running("http", WITHOUT);
    ClaimRef done = running("http", WITH);
    ClaimRef again = running("http", WITH);
    ClaimRef other = running("email.send", WITH);
    Set<ClaimRef> ended = store.finish(List.of(
        new Finish(dead, Verdicts.dead("x")),
        new Finish(failed, Verdicts.end(JobState.FAILED, "x")),
        new Finish(plain, Verdicts.dead("x")),
        new Finish(done, Verdicts.completed()),
        new Finish(again, Verdicts.retryIn(Duration.ofHours(1))),
        new Finish(other, Verdicts.dead("x"))));
    assertThat(ended).containsExactlyInAnyOrder(dead, failed, plain, done, again, other);
    assertThat(callbacks())
        .containsExactlyInAnyOrder(
            "sluice:failure-callback:" + dead.job() + ":0",
            "sluice:failure-callback:" + failed.job() + ":0");
    assertThat(state(again)).isEqualTo(JobState.RETRYING);
  }

  @Test
  void claimThatIsOver_tellsNobody() {
    ClaimRef ref = running("http", WITH);
    assertThat(store.finish(List.of(new Finish(ref, Verdicts.completed())))).hasSize(1);
    assertThat(store.finish(List.of(new Finish(ref, Verdicts.dead("late"))))).isEmpty();
    assertThat(callbacks()).isEmpty();
    assertThat(state(ref)).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void endWrittenTwice_isToldOnce() {
    ClaimRef ref = running("http", WITH);
    Finish finish = new Finish(ref, Verdicts.dead("x"));
    assertThat(store.finish(List.of(finish))).hasSize(1);
    assertThat(store.finish(List.of(finish))).isEmpty();
    assertThat(callbacks()).hasSize(1);
  }

  @Test
  void fullQueue_hasRoomForTheCallbackOfItsLastJob() {
    ClaimRef ref = running("http", WITH);
    store.queues().save(QueueSettings.of("default").withMaxSize(1L));
    assertThat(store.finish(List.of(new Finish(ref, Verdicts.dead("x"))))).hasSize(1);
    assertThat(callbacks()).hasSize(1);
  }

  @Test
  void queueThatWasMadeTooSmall_takesTheCallbackAllTheSame() {
    ClaimRef first = running("http", WITH);
    ClaimRef second = running("http", WITH);
    ClaimRef third = running("http", WITH);
    store.queues().save(QueueSettings.of("default").withMaxSize(1L));
    assertThat(store.finish(List.of(new Finish(first, Verdicts.dead("x"))))).hasSize(1);
    assertThat(state(first)).isEqualTo(JobState.DEAD);
    assertThat(state(second)).isEqualTo(state(third)).isEqualTo(JobState.RUNNING);
    assertThat(callbacks()).containsExactly("sluice:failure-callback:" + first.job() + ":0");
  }

  @Test
  void storeWithoutTransactions_tellsAfterwards() {
    store.close();
    use(MemoryStore.builder().build());
    ClaimRef ref = running("http", WITH);
    ClaimRef plain = running("http", WITHOUT);
    assertThat(store.finish(
            List.of(new Finish(ref, Verdicts.dead("x")), new Finish(plain, Verdicts.dead("x")))))
        .hasSize(2);
    assertThat(callbacks()).containsExactly("sluice:failure-callback:" + ref.job() + ":0");
    assertThat(store.find(ref.job()).orElseThrow().type()).isEqualTo(HttpCall.TYPE);
  }

  @Test
  void storeWithoutTransactions_hasEndedTheJob_alsoWhenItRefusesTheCallback() {
    store.close();
    use(new ForwardingStore(MemoryStore.builder().build()) {
      @Override
      public List<Enqueued> insert(List<NewJob> jobs) {
        if (jobs.getFirst().spec().idempotencyKey() != null) {
          throw new SluiceException(ErrorCode.NOT_FOUND, "the queue is gone");
        }
        return super.insert(jobs);
      }
    });
    ClaimRef ref = running("http", WITH);
    assertThat(store.finish(List.of(new Finish(ref, Verdicts.dead("x"))))).containsExactly(ref);
    assertThat(state(ref)).isEqualTo(JobState.DEAD);
    assertThat(callbacks()).isEmpty();
  }
}
