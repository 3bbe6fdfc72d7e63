package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.BatchRequest;
import io.sluice.CallbackOn;
import io.sluice.JacksonCodec;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Predecessor;
import io.sluice.SluiceException;
import io.sluice.Step;
import io.sluice.Ties;
import io.sluice.Uuid7;
import io.sluice.store.ClaimRef;
import io.sluice.store.NewJob;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a batch is put together, and what no batch can be. */
class PlanTest {
  private static final UUID OUTSIDE = new UUID(7, 7);
  private static final Plan.Home NOWHERE = new Plan.Home(null, null);

  private final Intake intake = new Intake(
      new JacksonCodec(), new Uuid7(InstantSource.fixed(Pieces.NOW), new SplittableRandom(1)));

  private Plan plan(BatchRequest request) {
    return Plan.of(request, NOWHERE, intake);
  }

  private void refused(String field, String words, BatchRequest request) {
    assertThatThrownBy(() -> plan(request))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.field()).contains(field))
        .hasMessage("INVALID_MESSAGE: " + field + " " + words);
  }

  private static JobRequest job() {
    return Jobs.of("t");
  }

  private static Ties ties(NewJob job) {
    return job.spec().ties();
  }

  @Test
  void names_becomeIds_withTheNamesKept() {
    BatchRequest diamond = BatchRequest.named("diamond");
    Step a = diamond.add("a", job());
    diamond.add("d", job().after("outside", OUTSIDE)).after("b", "c").otherwise(AfterPolicy.RUN);
    diamond.add("b", job()).after(a);
    diamond.add("c", job()).after(a);
    Plan plan = plan(diamond);
    List<UUID> ids = plan.jobs().stream().map(NewJob::id).toList();
    assertThat(plan.jobs()).allMatch(job -> plan.batch().id().equals(ties(job).batch()));
    assertThat(ties(plan.jobs().getFirst()).after()).isEmpty();
    assertThat(ties(plan.jobs().get(1)).after())
        .containsExactly(
            new Predecessor(OUTSIDE, "outside"),
            new Predecessor(ids.get(2), "b"),
            new Predecessor(ids.get(3), "c"));
    assertThat(ties(plan.jobs().get(1)).policy()).isEqualTo(AfterPolicy.RUN);
    assertThat(ties(plan.jobs().get(2)).after())
        .containsExactly(new Predecessor(ids.getFirst(), "a"));
  }

  @Test
  void chain_waitsOneForTheOther() {
    Plan plan = plan(BatchRequest.chain("chain", job(), job(), job()));
    for (int i = 1; i < 3; i++) {
      assertThat(ties(plan.jobs().get(i)).after())
          .containsExactly(new Predecessor(plan.jobs().get(i - 1).id(), String.valueOf(i)));
    }
  }

  @Test
  void callback_waitsForTheBatch_byWhatIsSaidOfIt() {
    for (CallbackOn on : CallbackOn.values()) {
      Plan plan = plan(BatchRequest.named("Rechnungen im März").callback(job(), on));
      NewJob callback = plan.batch().callback();
      assertThat(callback).isNotNull();
      assertThat(ties(callback))
          .isEqualTo(new Ties(
              List.of(new Predecessor(plan.batch().id(), "Rechnungen im März")),
              on.policy(),
              null));
    }
    refused(
        "callback.after",
        "must be empty: it waits for the batch alone",
        BatchRequest.named("b").callback(job().after(OUTSIDE)));
    refused(
        "callback.afterPolicy",
        "is not for a callback: say when it runs with the batch",
        BatchRequest.named("b").callback(job().afterPolicy(AfterPolicy.HOLD)));
    refused(
        "callback.idempotencyKey",
        "is not for a job of a batch: give the batch one",
        BatchRequest.named("b").callback(job().idempotencyKey("k")));
  }

  @Test
  void batch_keepsWhatWasSaidOfIt() {
    ClaimRef by = new ClaimRef(OUTSIDE, 3, 7);
    BatchRequest request = BatchRequest.named("b").tenant("acme").open().idempotencyKey("k");
    assertThat(Plan.of(request, new Plan.Home(OUTSIDE, by), intake).batch())
        .matches(batch -> batch.open() && OUTSIDE.equals(batch.parent()) && by.equals(batch.by()))
        .matches(batch -> batch.tenant().equals("acme") && "k".equals(batch.idempotencyKey()));
  }

  @Test
  void circle_isToldWithItsPath() {
    BatchRequest request = BatchRequest.named("b");
    request.add("z", job());
    request.add("a", job()).after("z", "c");
    request.add("b", job()).after("a");
    request.add("c", job()).after("b");
    request.add("d", job()).after("c");
    refused(
        "jobs",
        "must not wait for each other in a circle: a waits for c, which waits for b, which waits for a",
        request);
  }

  @Test
  void stepThatWaitsForItself_isACircle() {
    BatchRequest request = BatchRequest.named("b");
    request.add("a", job()).after("a");
    refused("jobs", "must not wait for each other in a circle: a waits for a", request);
  }

  @Test
  void longCircle_isToldInPart() {
    BatchRequest request = BatchRequest.named("b");
    IntStream.range(0, 10_000)
        .forEach(i -> request.add("s" + i, job()).after("s" + (i + 1) % 10_000));
    String shown = IntStream.rangeClosed(1, 18)
        .mapToObj(i -> "s" + i)
        .collect(Collectors.joining(", which waits for "));
    refused(
        "jobs",
        "must not wait for each other in a circle: s0 waits for " + shown
            + ", … 9981 more …, which waits for s0",
        request);
  }

  @Test
  void longChain_isNoCircle() {
    JobRequest[] jobs = IntStream.range(0, 10_000).mapToObj(i -> job()).toArray(JobRequest[]::new);
    assertThat(plan(BatchRequest.chain("chain", jobs)).jobs()).hasSize(10_000);
  }

  @Test
  void unknownName_isToldWithItsStep() {
    BatchRequest request = BatchRequest.named("b");
    request.add("a", job());
    request.add("b", job()).after("a", "x");
    refused("jobs[1].after", "of step 'b' names 'x', and the batch has no such step", request);
  }

  @Test
  void names_areGivenOnce_andPlain() {
    BatchRequest twice = BatchRequest.named("b");
    twice.add("a", job());
    twice.add("b", job());
    twice.add("a", job());
    refused("jobs[2].name", "must be used once: 'a' is that of jobs[0] too", twice);
    for (String wrong : List.of("", "a b", "ä", "x".repeat(65))) {
      BatchRequest request = BatchRequest.named("b");
      request.add(wrong, job());
      refused("jobs[0].name", "must be 1 to 64 of A-Z a-z 0-9 . _ -, was '" + wrong + "'", request);
    }
    for (String wrong : List.of("", "  ", "x".repeat(129))) {
      assertThatThrownBy(() -> plan(BatchRequest.named(wrong)))
          .hasMessageStartingWith("INVALID_MESSAGE: name must be 1 to 128 characters");
    }
    refused(
        "name",
        "must be 1 to 128 characters that can be read, was 'a?b'",
        BatchRequest.named("a\nb"));
    refused("name", "must not contain half of a surrogate pair", BatchRequest.named("a\ud800"));
  }

  @Test
  void sameStepTwice_isRefused() {
    BatchRequest request = BatchRequest.named("b");
    Step a = request.add("a", job());
    request.add("b", job()).after(a, a);
    refused("jobs[1].after", "must name each once, and names 'a' twice", request);
    BatchRequest named = BatchRequest.named("b");
    named.add("a", job());
    named.add("b", job().after("a", OUTSIDE)).after("a");
    refused("jobs[1].after", "must give each a name of its own, and two are 'a'", named);
  }

  @Test
  void jobsWithKeys_orOfOtherTenants_areRefused() {
    BatchRequest keyed = BatchRequest.named("b");
    keyed.add(job());
    keyed.add(job().idempotencyKey("k"));
    refused("jobs[1].idempotencyKey", "is not for a job of a batch: give the batch one", keyed);
    BatchRequest foreign = BatchRequest.named("b").tenant("acme");
    foreign.add(job());
    refused("jobs[0].tenant", "must be 'acme' as that of the batch, was 'default'", foreign);
  }

  @Test
  void whatIsWrongWithAJob_isToldWithItsPlace() {
    BatchRequest request = BatchRequest.named("b");
    request.add(job());
    request.add(job().queue("No"));
    assertThatThrownBy(() -> plan(request))
        .hasMessageStartingWith("INVALID_MESSAGE: jobs[1].queue must be 1 to 64 of");
    BatchRequest raw = BatchRequest.named("b");
    raw.add(Jobs.raw("t", "{"));
    assertThatThrownBy(() -> plan(raw)).hasMessageStartingWith("INVALID_MESSAGE: jobs[0].payload ");
  }

  @Test
  void size_isBounded() {
    BatchRequest many = BatchRequest.named("b");
    IntStream.rangeClosed(0, 10_000).forEach(i -> many.add(job()));
    refused("jobs", "must be at most 10000, were 10001", many);
    BatchRequest large = BatchRequest.named("b");
    String megabyte = "\"" + "x".repeat(1_000_000) + "\"";
    IntStream.range(0, 33).forEach(i -> large.add(Jobs.raw("t", megabyte)));
    plan(large);
    refused(
        "jobs", "must be at most 33554432 bytes together", large.callback(Jobs.raw("t", megabyte)));
  }

  @Test
  void jobsThatJoin_nameTheirPlace_andNotTheirBatch() {
    UUID batch = new UUID(1, 1);
    List<NewJob> jobs =
        Plan.joining(batch, "default", List.of(job(), job().after(OUTSIDE)), intake);
    assertThat(jobs).allMatch(job -> batch.equals(ties(job).batch()));
    List<JobRequest> wrong = new ArrayList<>(List.of(job(), job().after(batch)));
    assertThatThrownBy(() -> Plan.joining(batch, "default", wrong, intake))
        .hasMessage("INVALID_MESSAGE: jobs[1].after must not name its own batch " + batch
            + ": neither would ever end");
    assertThatThrownBy(() -> Plan.joining(batch, "acme", wrong, intake))
        .hasMessageStartingWith("INVALID_MESSAGE: jobs[0].tenant must be 'acme'");
  }
}
