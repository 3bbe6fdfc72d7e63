package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.Detail;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JacksonCodec;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.Result;
import io.sluice.SluiceException;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.Summaries;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Memory as a budget: what is large is read only when it is asked for, and only as much as there is room for. */
public interface SizeContract extends StoreTopic {
  int LARGE = 100_000;

  /** JSON of about this many bytes that does not get small when it is compressed. */
  static String json(int bytes) {
    StringBuilder text = new StringBuilder("{\"data\":\"");
    for (int i = 1; text.length() < bytes - 2; i++) {
      text.append(Integer.toHexString(i * 0x9E3779B1));
    }
    return text.append("\"}").toString();
  }

  private static UUID failed(Bench bench, Draft draft) {
    UUID job = bench.add(draft);
    JobError error =
        new JobError(bench.now(), 1, ErrorClass.SERVER, "HTTP_500", "no", "at a.B.c", 500, "sorry");
    bench.finish(
        bench.claim(job).ref(),
        new Verdict.End(JobState.DEAD, "[1]", "SERVER", error, Duration.ofDays(1)));
    return job;
  }

  @Test
  default void summary_leavesOutPayloadResultAndStack_andNothingElse(Bench bench) {
    UUID job = failed(bench, Draft.job().payload("{\"n\":1}").limitKey("k").key("once"));
    JobRecord whole = bench.find(job);
    assertThat(whole.payload()).isEqualTo("{\"n\":1}");
    assertThat(whole.status().result()).isEqualTo("[1]");
    assertThat(whole.status().errors().getFirst().stack()).isEqualTo("at a.B.c");
    JobRecord summary = bench.store().find(job, Detail.SUMMARY).orElseThrow();
    assertThat(summary).isEqualTo(Summaries.of(whole, Detail.SUMMARY));
    assertThat(bench.store().find(job, Detail.STATE)).contains(summary);
    assertThat(summary.payload()).isEqualTo(Summaries.NO_PAYLOAD);
    assertThat(summary.status().result()).isNull();
    assertThat(summary.status().errors().getFirst().stack()).isNull();
    assertThat(summary.status().errors().getFirst().responseBody()).isEqualTo("sorry");
    assertThat(bench.store().page(JobFilter.all(), null, PageSize.summaries(5)).items())
        .containsExactly(summary);
  }

  @Test
  default void summary_ofAnHttpJob_keepsAllButItsBody(Bench bench) {
    String call =
        "{\"url\":\"http://a.b/\",\"method\":\"PUT\",\"headers\":{\"b\":\"1\",\"a\":\"2\"},"
            + "\"body\":{\"x\":[1,2]},\"bodyBase64\":\"YQ==\",\"callbackUrl\":\"http://c.d/\"}";
    UUID job = bench.add(Draft.job().type("http").payload(call));
    UUID odd = bench.add(Draft.job().type("http").payload("[1,2]"));
    List<JobRecord> listed =
        bench.store().page(JobFilter.all(), null, PageSize.summaries(5)).items();
    assertThat(listed).extracting(JobRecord::id).containsExactly(odd, job);
    assertThat(listed.getFirst().payload()).isEqualTo(Summaries.NO_PAYLOAD);
    assertThat(bench.store().find(job, Detail.STATE).orElseThrow().payload())
        .isEqualTo(Summaries.NO_PAYLOAD);
    assertThat(bench.store().page(JobFilter.all(), null, PageSize.states(5)).items())
        .extracting(JobRecord::payload)
        .containsOnly(Summaries.NO_PAYLOAD);
    for (JobRecord summary :
        List.of(listed.getLast(), bench.store().find(job, Detail.SUMMARY).orElseThrow())) {
      assertThat(new JacksonCodec().decode(summary.payload(), Object.class))
          .isEqualTo(Map.of(
              "url", "http://a.b/",
              "method", "PUT",
              "headers", Map.of("b", "1", "a", "2"),
              "callbackUrl", "http://c.d/"));
    }
  }

  @Test
  default void page_endsEarly_beforeItHasMoreBytesThanItMay(Bench bench) {
    List<UUID> jobs = bench.add(7, Draft.job().payload(json(LARGE)));
    PageSize size = new PageSize(5, 2L * LARGE + LARGE / 2, Detail.FULL);
    assertThat(walk(bench, size)).isEqualTo(jobs.reversed());
    assertThat(pages(bench, size)).containsExactly(2, 2, 2, 1);
    assertThat(pages(bench, PageSize.full(5))).containsExactly(5, 2);
  }

  @Test
  default void page_hasOneJob_howeverLarge(Bench bench) {
    List<UUID> jobs = bench.add(3, Draft.job().payload(json(LARGE)));
    PageSize size = new PageSize(5, 10, Detail.FULL);
    assertThat(walk(bench, size)).isEqualTo(jobs.reversed());
    assertThat(pages(bench, size)).containsExactly(1, 1, 1);
  }

  @Test
  default void pageOfSummaries_countsWhatItHas_andEndsEarlyToo(Bench bench) {
    Draft large = Draft.job().payload(json(LARGE));
    List<UUID> jobs = new ArrayList<>(bench.add(3, large));
    assertThat(pages(bench, new PageSize(5, LARGE, Detail.SUMMARY))).containsExactly(3);
    String headers = "{\"url\":\"http://a.b/\",\"headers\":" + json(LARGE) + "}";
    jobs.addAll(bench.add(3, Draft.job().type("http").payload(headers)));
    PageSize size = new PageSize(5, 2L * LARGE + LARGE / 2, Detail.SUMMARY);
    assertThat(walk(bench, size)).isEqualTo(jobs.reversed());
    assertThat(pages(bench, size)).containsExactly(2, 4);
  }

  private static List<UUID> walk(Bench bench, PageSize size) {
    return allPages(bench, size).stream()
        .flatMap(page -> page.items().stream())
        .map(JobRecord::id)
        .toList();
  }

  private static List<Integer> pages(Bench bench, PageSize size) {
    return allPages(bench, size).stream().map(page -> page.items().size()).toList();
  }

  private static List<Page<JobRecord>> allPages(Bench bench, PageSize size) {
    List<Page<JobRecord>> pages = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      Page<JobRecord> page = bench.store().page(JobFilter.all(), cursor, size);
      pages.add(page);
      cursor = page.nextCursor();
    } while (cursor != null && pages.size() < 20);
    return pages;
  }

  @Test
  default void results_areRefused_whenTheyAddUpToMoreThanAskedFor(Bench bench) {
    UUID first = bench.add(Draft.job().type("first"));
    UUID second = bench.add(Draft.job().type("second"));
    UUID job = bench.add(Draft.job().policy(AfterPolicy.RUN).after("a", first).after("b", second));
    String result = json(LARGE);
    bench.finish(bench.claim(first).ref(), Verdicts.completed(result));
    bench.finish(bench.claim(second).ref(), Verdicts.completed(result));
    assertThatThrownBy(() -> bench.links().results(job, 2L * result.length() - 1))
        .isInstanceOf(SluiceException.class)
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.RESULTS_TOO_LARGE);
    assertThat(bench.links().results(job, 2L * result.length()))
        .containsExactly(
            new Result("a", first, JobState.COMPLETED, result),
            new Result("b", second, JobState.COMPLETED, result));
    assertThat(bench.links().predecessors(job))
        .containsExactly(
            new Result("a", first, JobState.COMPLETED, null),
            new Result("b", second, JobState.COMPLETED, null));
  }

  private static Claimed claim(Bench bench, int max, long bytes, Lane... lanes) {
    List<LaneQuota> quotas = new ArrayList<>();
    for (Lane lane : lanes) {
      LaneHead head = bench.head(lane, 10);
      quotas.add(new LaneQuota(head.laneId(), 10, max));
    }
    return bench.store().claim(new Claim(bench.worker(), quotas, max).within(bytes));
  }

  @Test
  default void claim_takesNoMoreBytesThanItMay_andLeavesTheRestAsItWas(Bench bench) {
    Draft large = Draft.job().payload(json(LARGE));
    List<UUID> jobs = bench.add(5, large);
    Claimed claimed = claim(bench, 5, 2L * LARGE + LARGE / 2, large.lane());
    assertThat(Bench.idsOf(claimed.jobs())).isEqualTo(jobs.subList(0, 2));
    assertThat(claimed.jobs()).allMatch(job -> job.spec().equals(large.spec()));
    assertThat(claimed.left()).containsExactly(bench.head(large.lane(), 10).laneId());
    assertThat(bench.state(jobs.get(2))).isEqualTo(JobState.PENDING);
    assertThat(bench.find(jobs.get(2)).attempt()).isZero();
    Claimed rest = claim(bench, 5, Long.MAX_VALUE, large.lane());
    assertThat(Bench.idsOf(rest.jobs())).isEqualTo(jobs.subList(2, 5));
    assertThat(rest.jobs()).extracting(ClaimedJob::attempt).containsOnly(1);
    assertThat(rest.left()).isEmpty();
  }

  @Test
  default void claim_takesOneJob_howeverLarge_butNoneWithoutAnyRoom(Bench bench) {
    Draft large = Draft.job().type("large").payload(json(LARGE));
    Draft small = Draft.job().type("small");
    UUID first = bench.add(large);
    bench.add(large);
    UUID little = bench.add(small);
    Claimed none = claim(bench, 5, 0, large.lane(), small.lane());
    assertThat(Bench.idsOf(none.jobs())).containsExactly(little);
    assertThat(none.left()).containsExactly(bench.head(large.lane(), 10).laneId());
    assertThat(Bench.idsOf(claim(bench, 5, 10, large.lane()).jobs())).containsExactly(first);
  }

  @Test
  default void claim_takesJobsOfOrdinarySize_withoutAnyRoom(Bench bench) {
    Draft ordinary = Draft.job().payload(json(Claim.SMALL / 2));
    List<UUID> jobs = bench.add(3, ordinary);
    Claimed claimed = claim(bench, 5, 0, ordinary.lane());
    assertThat(Bench.idsOf(claimed.jobs())).isEqualTo(jobs);
    assertThat(claimed.jobs()).allMatch(job -> job.spec().equals(ordinary.spec()));
    assertThat(claimed.left()).isEmpty();
  }

  @Test
  default void claim_keepsTheOrderOfALane_whenALargeJobIsLeft(Bench bench) {
    Draft lane = Draft.job();
    UUID small = bench.add(lane);
    UUID large = bench.add(lane.payload(json(LARGE)));
    UUID last = bench.add(lane);
    assertThat(Bench.idsOf(claim(bench, 5, 0, lane.lane()).jobs())).containsExactly(small);
    assertThat(Bench.idsOf(claim(bench, 5, 2L * LARGE, lane.lane()).jobs()))
        .containsExactly(large, last);
  }
}
