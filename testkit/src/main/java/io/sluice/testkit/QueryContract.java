package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.Defaults;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Page;
import io.sluice.Priority;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a person sees of jobs: one by its id, and many by a filter. */
public interface QueryContract extends StoreTopic {
  @Test
  default void find_ofAnUnknownJob_isEmpty(Bench bench) {
    assertThat(bench.store().find(bench.made(Draft.job()).id())).isEmpty();
  }

  @Test
  default void find_showsWhatWasAskedFor(Bench bench) {
    Draft draft = full(bench);
    Instant created = bench.now();
    UUID job = bench.add(draft);
    bench.advance(Duration.ofSeconds(1));
    JobRecord record = bench.find(job);
    assertThat(record.id()).isEqualTo(job);
    assertThat(record.lane()).isEqualTo(draft.lane());
    assertThat(record.spec()).isEqualTo(draft.spec());
    assertThat(record.createdAt()).isEqualTo(created);
    assertThat(record.updatedAt()).isEqualTo(created);
  }

  @Test
  default void find_showsAJobThatWaits_withNothingMadeUp(Bench bench) {
    JobStatus status = bench.find(bench.add()).status();
    assertThat(status.state()).isEqualTo(JobState.PENDING);
    assertThat(status.attempt()).isZero();
    assertThat(status.strikes()).isZero();
    assertThat(status.replays()).isZero();
    assertThat(status.startedAt()).isNull();
    assertThat(status.finishedAt()).isNull();
    assertThat(status.leaseUntil()).isNull();
    assertThat(status.worker()).isNull();
    assertThat(status.result()).isNull();
    assertThat(status.reason()).isNull();
    assertThat(status.errors()).isEmpty();
    assertThat(status.progress()).isNull();
  }

  @Test
  default void find_showsWhatWasAskedFor_throughoutAJobsLife(Bench bench) {
    Draft draft = full(bench);
    UUID job = bench.add(draft);
    ClaimedJob claimed = bench.claim(job);
    assertThat(bench.find(job).spec()).isEqualTo(draft.spec());
    bench.finish(claimed.ref(), Verdicts.retryIn(Duration.ofSeconds(1)));
    assertThat(bench.find(job).spec()).isEqualTo(draft.spec());
    bench.store().cancel(job, "no", Verdicts.KEEP);
    assertThat(bench.find(job).spec()).isEqualTo(draft.spec());
    assertThat(bench.find(job).lane()).isEqualTo(draft.lane());
  }

  @Test
  default void find_showsWhenAJobLastMoved(Bench bench) {
    UUID job = bench.add();
    bench.advance(Duration.ofSeconds(1));
    ClaimedJob claimed = bench.claim(job);
    assertThat(bench.find(job).updatedAt()).isEqualTo(bench.now());
    bench.advance(Duration.ofSeconds(1));
    bench.finish(
        claimed.ref(),
        Verdicts.retryIn(Duration.ofSeconds(1), Verdicts.error(bench.now(), 1, "not yet")));
    assertThat(bench.find(job).updatedAt()).isEqualTo(bench.now());
    bench.advance(Duration.ofSeconds(1));
    bench.store().promote(10);
    claimed = bench.claim(job);
    bench.advance(Duration.ofSeconds(1));
    bench.complete(claimed);
    assertThat(bench.find(job).updatedAt()).isEqualTo(bench.now());
  }

  @Test
  default void page_showsWhatFindShows(Bench bench) {
    List<UUID> jobs = new ArrayList<>();
    for (JobState state : JobState.values()) {
      jobs.add(bench.addIn(state, full(bench).type("t" + state).key("k" + state)));
    }
    assertThat(bench.store().page(JobFilter.all(), null, 50).items())
        .containsExactlyElementsOf(jobs.reversed().stream().map(bench::find).toList());
  }

  @Test
  default void page_isNewestFirst(Bench bench) {
    List<UUID> jobs = bench.add(5);
    assertThat(bench.listed(JobFilter.all())).isEqualTo(jobs.reversed());
  }

  @Test
  default void page_ofAnEmptyStore_isEmptyAndTheLast(Bench bench) {
    assertThat(bench.store().page(JobFilter.all(), null, 10))
        .isEqualTo(new Page<>(List.of(), null));
  }

  @Test
  default void page_isTheLast_whenAllFit(Bench bench) {
    bench.add(3);
    assertThat(bench.store().page(JobFilter.all(), null, 10).nextCursor()).isNull();
  }

  @Test
  default void page_holdsNoMoreThanItsLimit(Bench bench) {
    bench.add(7);
    Page<JobRecord> page = bench.store().page(JobFilter.all(), null, 3);
    assertThat(page.items()).hasSize(3);
    assertThat(page.nextCursor()).isNotNull();
  }

  @Test
  default void page_afterPage_showsEveryJobOnce(Bench bench) {
    List<UUID> jobs = bench.add(20, Draft.job().type("a"));
    bench.add(5, Draft.job().type("b"));
    assertThat(walk(bench, JobFilter.all().ofType("a"), 3)).isEqualTo(jobs.reversed());
  }

  @Test
  default void page_afterPage_goesOn_whenJobsComeMeanwhile(Bench bench) {
    List<UUID> jobs = bench.add(10);
    Page<JobRecord> first = bench.store().page(JobFilter.all(), null, 4);
    bench.add(10);
    Page<JobRecord> second = bench.store().page(JobFilter.all(), first.nextCursor(), 50);
    List<UUID> seen = new ArrayList<>(ids(first));
    seen.addAll(ids(second));
    assertThat(seen).isEqualTo(jobs.reversed());
  }

  @Test
  default void page_afterPage_goesOn_whenItsLastJobIsGone(Bench bench) {
    List<UUID> jobs = bench.add(6);
    bench.claim(6).forEach(bench::complete);
    Page<JobRecord> first = bench.store().page(JobFilter.all(), null, 3);
    bench.store().delete(ids(first).getLast());
    assertThat(ids(bench.store().page(JobFilter.all(), first.nextCursor(), 10)))
        .isEqualTo(jobs.subList(0, 3).reversed());
  }

  @Test
  default void page_throughAnotherInstance_understandsTheCursor(Bench bench) {
    List<UUID> jobs = bench.add(4);
    String cursor = bench.store().page(JobFilter.all(), null, 2).nextCursor();
    assertThat(ids(bench.other().page(JobFilter.all(), cursor, 10)))
        .isEqualTo(jobs.subList(0, 2).reversed());
  }

  @Test
  default void filter_byTenant(Bench bench) {
    UUID wanted = bench.add(Draft.job().tenant("acme"));
    bench.add(Draft.job().tenant("globex"));
    assertThat(bench.listed(JobFilter.all().inTenant("acme"))).containsExactly(wanted);
    assertThat(bench.listed(JobFilter.all().inTenant("initech"))).isEmpty();
  }

  @Test
  default void filter_byQueue(Bench bench) {
    bench.makeQueue("mail");
    UUID wanted = bench.add(Draft.job().queue("mail"));
    bench.add();
    assertThat(bench.listed(JobFilter.all().inQueue("mail"))).containsExactly(wanted);
  }

  @Test
  default void filter_byType(Bench bench) {
    UUID wanted = bench.add(Draft.job().type("mail"));
    bench.add(Draft.job().type("mailing"));
    assertThat(bench.listed(JobFilter.all().ofType("mail"))).containsExactly(wanted);
  }

  @Test
  default void filter_byEachState(Bench bench) {
    for (JobState state : JobState.values()) {
      UUID job = bench.addIn(state, Draft.job().type("t" + state));
      assertThat(bench.listed(JobFilter.all().in(state))).containsExactly(job);
    }
    assertThat(bench.listed(JobFilter.all().in(JobState.DEAD, JobState.PENDING)))
        .hasSize(2);
  }

  @Test
  default void filter_byIdempotencyKey(Bench bench) {
    UUID wanted = bench.add(Draft.job().key("a"));
    bench.insert(Draft.job().key("b"), Draft.job());
    assertThat(bench.listed(JobFilter.all().withIdempotencyKey("a"))).containsExactly(wanted);
  }

  @Test
  default void page_narrowsByUrlGroup(Bench bench) {
    UUID wanted = bench.add(Draft.job().urlGroup("stripe"));
    bench.insert(Draft.job().urlGroup("stripes"), Draft.job());
    assertThat(bench.listed(JobFilter.all().inUrlGroup("stripe"))).containsExactly(wanted);
    assertThat(bench.listed(JobFilter.all().inTenant("acme").inUrlGroup("stripe")))
        .isEmpty();
  }

  @Test
  default void filter_byLimitKey(Bench bench) {
    UUID wanted = bench.add(Draft.job().limitKey("customer-7"));
    bench.insert(Draft.job().limitKey("customer-70"), Draft.job());
    assertThat(bench.listed(JobFilter.all().withLimitKey("customer-7"))).containsExactly(wanted);
  }

  @Test
  default void filter_byBatch_showsItsJobs_andNotItsCallback(Bench bench) {
    UUID batch = bench.id();
    List<NewJob> jobs = bench.made(3, Draft.job().tenant("acme"));
    bench.start(BatchDraft.of(batch).tenant("acme").callback(bench.id(), AfterPolicy.RUN), jobs);
    bench.start(BatchDraft.of(bench.id()), Draft.job());
    bench.add(Draft.job().tenant("acme"));
    List<UUID> ids = jobs.stream().map(NewJob::id).toList();
    JobFilter members = JobFilter.all().inBatch(batch);
    assertThat(walk(bench, members, 2)).isEqualTo(ids.reversed());
    assertThat(bench.listed(members.inTenant("acme"))).isEqualTo(ids.reversed());
    assertThat(bench.listed(members.inTenant("globex"))).isEmpty();
    assertThat(bench.listed(members.withIdempotencyKey("k"))).isEmpty();
    assertThat(bench.listed(JobFilter.all().inBatch(bench.id()))).isEmpty();
  }

  @Test
  default void filter_byBatch_showsThoseThatAreOverToo(Bench bench) {
    UUID batch = bench.id();
    List<NewJob> jobs = bench.made(2, Draft.job());
    bench.start(BatchDraft.of(batch), jobs);
    UUID dead = bench.addIn(JobState.DEAD, Draft.job().type("other"));
    ClaimedJob claimed = bench.claim(jobs.getFirst().id());
    bench.finish(claimed.ref(), Verdicts.dead("no"));
    JobFilter members = JobFilter.all().inBatch(batch);
    assertThat(bench.listed(members)).hasSize(2).doesNotContain(dead);
    assertThat(bench.listed(members.in(JobState.DEAD)))
        .containsExactly(claimed.ref().job());
    assertThat(bench.store().deadReasons(members))
        .singleElement()
        .satisfies(one -> assertThat(one.jobs()).isEqualTo(1));
  }

  @Test
  default void filter_byMetadata(Bench bench) {
    Metadata metadata = Metadata.NONE
        .withCorrelationId("c1")
        .withSource("s1")
        .withUserId("u1")
        .withCompanyId("f1")
        .withTraceparent("00-1")
        .with("region", "north")
        .with("size", 3);
    UUID wanted = bench.add(Draft.job().metadata(metadata));
    bench.add(Draft.job().metadata(Metadata.NONE.withUserId("u2").with("region", "south")));
    Map<String, String> names = Map.of(
        "correlationId", "c1",
        "source", "s1",
        "userId", "u1",
        "companyId", "f1",
        "traceparent", "00-1",
        "region", "north",
        "size", "3");
    names.forEach((name, value) -> assertThat(
            bench.listed(JobFilter.all().withMetadata(Map.of(name, value))))
        .as(name)
        .containsExactly(wanted));
    assertThat(bench.listed(JobFilter.all().withMetadata(names))).containsExactly(wanted);
    assertThat(
            bench.listed(JobFilter.all().withMetadata(Map.of("userId", "u1", "region", "south"))))
        .isEmpty();
  }

  @Test
  default void filter_byTimeOfCreation(Bench bench) {
    UUID first = bench.add();
    Instant between = bench.advance(Duration.ofHours(1));
    bench.advance(Duration.ofHours(1));
    UUID second = bench.add();
    assertThat(bench.listed(JobFilter.all().createdBetween(null, between))).containsExactly(first);
    assertThat(bench.listed(JobFilter.all().createdBetween(between, null))).containsExactly(second);
    assertThat(bench.listed(JobFilter.all().createdBetween(between, between.plusSeconds(60))))
        .isEmpty();
  }

  @Test
  default void filter_byTimeOfCreation_beginsWithFrom_andEndsBeforeTo(Bench bench) {
    UUID job = bench.add();
    Instant created = bench.now();
    assertThat(bench.listed(JobFilter.all().createdBetween(created, created.plusMillis(1))))
        .containsExactly(job);
    assertThat(bench.listed(JobFilter.all().createdBetween(created.minusSeconds(1), created)))
        .isEmpty();
  }

  @Test
  default void filter_byText_inPayloadReasonAndType(Bench bench) {
    UUID payload = bench.add(Draft.job().payload("{\"to\":\"needle@example.org\"}"));
    UUID type = bench.add(Draft.job().type("needle.thread"));
    UUID reason = bench.add(Draft.job().type("other"));
    bench.store().cancel(reason, "lost the needle", Verdicts.KEEP);
    bench.add();
    assertThat(bench.listed(JobFilter.all().containing("needle")))
        .containsExactly(reason, type, payload);
  }

  @Test
  default void filter_byText_takesEveryCharacterAsItIs(Bench bench) {
    UUID wanted = bench.add(Draft.job().payload("\"100% of a_b\""));
    bench.add(Draft.job().payload("\"1000 of aXb\""));
    assertThat(bench.listed(JobFilter.all().containing("100% "))).containsExactly(wanted);
    assertThat(bench.listed(JobFilter.all().containing("a_b"))).containsExactly(wanted);
  }

  @Test
  default void filter_byText_findsWhatJsonEscapes(Bench bench) {
    UUID quotes = bench.add(Draft.job().payload("{\"t\":\"say \\\"hi\\\"\"}"));
    UUID others = bench.add(Draft.job().payload("{\"t\":\"a\\\\b\\tc\\nd\"}"));
    assertThat(bench.listed(JobFilter.all().containing("say \"hi\""))).containsExactly(quotes);
    assertThat(bench.listed(JobFilter.all().containing("\"t\":\"say"))).containsExactly(quotes);
    assertThat(bench.listed(JobFilter.all().containing("a\\b\tc\nd"))).containsExactly(others);
  }

  @Test
  default void filter_narrowsByAllItsParts(Bench bench) {
    UUID wanted = bench.add(Draft.job().tenant("acme").type("a").payload("\"x\""));
    bench.insert(
        Draft.job().tenant("acme").type("a").payload("\"y\""),
        Draft.job().tenant("acme").type("b").payload("\"x\""),
        Draft.job().tenant("globex").type("a").payload("\"x\""));
    JobFilter filter = JobFilter.all()
        .inTenant("acme")
        .inQueue("default")
        .ofType("a")
        .in(JobState.PENDING)
        .containing("x");
    assertThat(bench.listed(filter)).containsExactly(wanted);
  }

  private static Draft full(Bench bench) {
    return Draft.job()
        .lane(new Lane("acme", "default", "http", "crm", "customer-7"))
        .payload("{\"n\": 1}")
        .priority(Priority.HIGH)
        .treatment(Defaults.RETRY.withMaxAttempts(2), Duration.ofMillis(1500))
        .key("key")
        .expiresAt(bench.now().plus(Duration.ofDays(1)))
        .metadata(new Metadata(
            "corr",
            "src",
            "user",
            "company",
            "00-ab-cd-01",
            Map.of("n", 1, "deep", Map.of("a", List.of("b")))));
  }

  private static List<UUID> walk(Bench bench, JobFilter filter, int limit) {
    List<UUID> seen = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      Page<JobRecord> page = bench.store().page(filter, cursor, limit);
      seen.addAll(ids(page));
      cursor = page.nextCursor();
    } while (cursor != null && seen.size() < 1_000);
    return seen;
  }

  private static List<UUID> ids(Page<JobRecord> page) {
    return page.items().stream().map(JobRecord::id).toList();
  }
}
