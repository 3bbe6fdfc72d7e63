package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.Defaults;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.Lane;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.CancelledJob;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Count;
import io.sluice.store.Finish;
import io.sluice.store.Heartbeat;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A walk of random steps on a store and on the model, which must answer and look alike after each one.
 * A step names its target by a number, so that a shorter walk still makes sense.
 */
public final class ModelRun {
  /** What a step does. */
  public enum Move {
    ADD,
    ADD_KEYED,
    ADD_STRICT,
    ADD_LATER,
    ADD_EXPIRING,
    ADD_THREE,
    ADD_AFTER,
    START_BATCH,
    ADD_TO_BATCH,
    CLOSE_BATCH,
    RELEASE,
    CLAIM,
    COMPLETE,
    FINISH,
    FINISH_LATE,
    COMPLETE_SEVERAL,
    FINISH_SEVERAL,
    FINISH_FOREIGN,
    CANCEL,
    CANCEL_SEVERAL,
    REPLAY,
    DELETE,
    PROMOTE,
    ADVANCE,
    REGISTER,
    HEARTBEAT,
    LEAVE,
    RESCUE,
    OUTLIVE_LEASES,
    PAUSE,
    CAP,
    EXPIRE,
    PURGE
  }

  /** Every move, those more often that lead somewhere. */
  public static final List<Move> MOVES = moves();

  private static List<Move> moves() {
    List<Move> moves = new ArrayList<>(List.of(Move.values()));
    moves.addAll(
        List.of(Move.CLAIM, Move.CLAIM, Move.CLAIM, Move.FINISH, Move.FINISH, Move.ADVANCE));
    moves.addAll(List.of(Move.ADD_AFTER, Move.START_BATCH, Move.COMPLETE_SEVERAL));
    return List.copyOf(moves);
  }

  /** One step: what, on which of the things there are, and in which of the ways there are. */
  public record Step(Move move, int target, int way) {}

  /** What is seen of a job. */
  private record Seen(
      UUID id,
      Lane lane,
      JobState state,
      List<Integer> numbers,
      @Nullable Instant runAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable String reason) {}

  private static final List<String> QUEUES = List.of("default", "small");
  private static final List<Duration> STEPS = List.of(
      Duration.ofSeconds(1),
      Duration.ofSeconds(6),
      Duration.ofSeconds(31),
      Duration.ofMinutes(11),
      Duration.ofSeconds(29),
      Duration.ofDays(4));
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration KEEP = Duration.ofDays(3);
  private static final int ALL = 1000;

  private final Bench bench;
  private final Model model;
  private final List<UUID> jobs = new ArrayList<>();
  private final List<ClaimRef> claims = new ArrayList<>();
  private final LinkSteps links;
  private final List<Long> workers = new ArrayList<>();

  private ModelRun(Bench bench) {
    this.bench = bench;
    this.model = new Model(bench.now());
    this.links = new LinkSteps(bench, model, jobs);
    QUEUES.forEach(bench::makeQueue);
    register();
  }

  /** Takes the steps one by one, on a store of its own. */
  public static void walk(StoreLab lab, List<Step> steps) {
    try (Bench bench = new Bench(lab)) {
      ModelRun run = new ModelRun(bench);
      for (Step step : steps) {
        run.take(step);
        run.compare();
      }
    }
  }

  private void take(Step step) {
    switch (step.move()) {
      case ADD -> insert(1, draft(step));
      case ADD_KEYED -> insert(1, draft(step).key("k" + step.way() % 3));
      case ADD_STRICT -> insert(1, draft(step).key("k" + step.way() % 3).strictly());
      case ADD_LATER -> insert(1, draft(step).in(STEPS.get(step.way() % 4)));
      case ADD_EXPIRING ->
        insert(1, draft(step).expiresAt(bench.now().plus(STEPS.get(step.way() % 4))));
      case ADD_THREE ->
        insert(3, step.way() % 2 == 0 ? draft(step) : draft(step).key("k" + step.way() % 3));
      case ADD_AFTER -> insert(links.after(draft(step), step.target(), step.way()));
      case START_BATCH -> links.start(draft(step), step.way());
      case ADD_TO_BATCH -> links.add(draft(step), step.target());
      case CLOSE_BATCH -> links.close(step.target());
      case RELEASE -> some(tied(), step).forEach(links::release);
      case CLAIM -> claim(worker(step), 1 + step.way() % 4);
      case COMPLETE -> live(step).forEach(ref -> finish(ref, Verdicts.completed()));
      case FINISH -> live(step).forEach(ref -> finish(ref, verdict(step.way())));
      case FINISH_LATE -> some(claims, step).forEach(ref -> finish(ref, verdict(step.way())));
      case COMPLETE_SEVERAL -> finishSeveral(step, i -> Verdicts.completed());
      case FINISH_SEVERAL -> finishSeveral(step, i -> verdict(step.way() + i));
      case CANCEL_SEVERAL -> cancelSeveral(step);
      case FINISH_FOREIGN -> live(step).forEach(ref -> finish(foreign(ref), verdict(step.way())));
      case CANCEL ->
        some(known(), step)
            .forEach(job -> assertThat(bench.store().cancel(job, "by hand", KEEP))
                .isEqualTo(model.cancel(job, "by hand", KEEP)));
      case REPLAY -> replay(every(3, step.way() % 3 == 0 ? known() : replayable(), step));
      case DELETE -> delete(every(5, known(), step));
      case PROMOTE -> promote();
      case ADVANCE -> advance(STEPS.get(step.way() % STEPS.size()));
      case OUTLIVE_LEASES -> {
        advance(LEASE);
        rescue();
      }
      case REGISTER -> register();
      case HEARTBEAT -> heartbeat(pick(workers, step));
      case LEAVE -> {
        bench.store().workers().leave(pick(workers, step));
        model.leave(pick(workers, step));
      }
      case RESCUE -> rescue();
      case PAUSE -> {
        String queue = pick(QUEUES, step);
        bench.store().queues().pause("default", queue, step.way() % 2 == 0);
        model.pause(queue, step.way() % 2 == 0);
      }
      case CAP -> cap(pick(QUEUES, step), step.way() % 2 == 0 ? 1L + step.way() % 5 : null);
      case EXPIRE -> expire();
      case PURGE -> bench.store().purge();
    }
  }

  // ---- steps

  private static Draft draft(Step step) {
    return Draft.job()
        .queue(pick(QUEUES, step))
        .type("t" + step.way() % 2)
        .priority(step.way() % 3 == 0 ? Priority.HIGH : Priority.NORMAL);
  }

  private void insert(int n, Draft draft) {
    insert(bench.made(n, draft));
  }

  private void insert(List<NewJob> call) {
    var refusals = model.refusals(call);
    if (refusals.isEmpty()) {
      assertThat(bench.store().insert(call)).isEqualTo(model.insert(call));
      call.forEach(job -> jobs.add(job.id()));
    } else {
      SluiceException refused =
          catchThrowableOfType(SluiceException.class, () -> bench.store().insert(call));
      assertThat(refused).as("refusal of %s", call).isNotNull();
      assertThat(refused.code()).isIn(refusals);
    }
  }

  private void advance(Duration time) {
    bench.advance(time);
    model.advance(time);
  }

  private void claim(long worker, int max) {
    List<ClaimedJob> claimed = bench.claim(worker, max);
    List<Model.Job> expected = model.claim(worker, max);
    assertThat(claimed)
        .extracting(c -> List.of(c.ref(), c.attempt(), c.strikes()))
        .isEqualTo(expected.stream()
            .map(job -> List.of(job.ref(), job.attempt, job.strikes))
            .toList());
    claimed.forEach(c -> claims.add(c.ref()));
  }

  private Verdict verdict(int way) {
    Duration time = STEPS.get(way % 4);
    return switch (way % 7) {
      case 0 -> Verdicts.end(JobState.DEAD, KEEP);
      case 1 -> Verdicts.end(JobState.FAILED, Duration.ofMinutes(10));
      case 2 -> Verdicts.end(JobState.CANCELLED, KEEP);
      case 3 -> Verdicts.retryIn(time, Verdicts.error(bench.now(), 1, "no"));
      case 4 -> Verdicts.retryNow();
      case 5 -> Verdicts.snooze(time);
      default -> Verdicts.givenBack();
    };
  }

  /** A token as another worker had it, before a failover. */
  private static ClaimRef foreign(ClaimRef ref) {
    return new ClaimRef(ref.job(), ref.turn(), ref.worker() + 1);
  }

  private void finish(ClaimRef ref, Verdict verdict) {
    assertThat(bench.finish(ref, verdict)).isEqualTo(model.finish(ref, verdict));
  }

  /** Ends or gives back all that runs, and one claim from any time, in one call. */
  private void finishSeveral(Step step, IntFunction<Verdict> verdict) {
    Set<ClaimRef> refs = new LinkedHashSet<>(some(claims, step));
    model.in(JobState.RUNNING).map(Model.Job::ref).forEach(refs::add);
    List<Finish> call = new ArrayList<>();
    refs.forEach(ref -> call.add(new Finish(ref, verdict.apply(call.size()))));
    assertThat(bench.store().finish(call)).isEqualTo(model.finish(call));
  }

  /** Cancels every second job there is, those that are over among them, in one call. */
  private void cancelSeveral(Step step) {
    List<UUID> call = every(2, known(), step);
    assertThat(bench.store().cancelAll(call, "by hand"))
        .extracting(CancelledJob::id)
        .containsExactlyInAnyOrderElementsOf(model.cancelAll(call, "by hand"));
  }

  private void replay(List<UUID> jobs) {
    assertThat(bench.store().replayAll(jobs))
        .containsExactlyInAnyOrderElementsOf(jobs.stream().filter(model::replay).toList());
  }

  private void delete(List<UUID> jobs) {
    assertThat(bench.store().deleteAll(jobs))
        .containsExactlyInAnyOrderElementsOf(jobs.stream().filter(model::delete).toList());
  }

  private static List<UUID> every(int nth, List<UUID> jobs, Step step) {
    return IntStream.range(0, jobs.size())
        .filter(i -> (i + step.way()) % nth == 0)
        .mapToObj(jobs::get)
        .toList();
  }

  private void promote() {
    Promotion promotion = bench.store().promote(ALL);
    assertThat(promotion.moved()).isEqualTo(model.promote());
    assertThat(promotion.untilNext()).isEqualTo(model.untilNext());
  }

  private void register() {
    long worker = bench.worker("w" + workers.size(), LEASE);
    assertThat(workers).doesNotContain(worker);
    workers.add(worker);
    model.register(worker, LEASE);
  }

  private void heartbeat(long worker) {
    Heartbeat answer = bench.store().workers().heartbeat(worker, LEASE, claims);
    Set<ClaimRef> gone = new HashSet<>(claims);
    model
        .in(JobState.RUNNING)
        .filter(job -> job.worker == worker)
        .forEach(job -> gone.remove(job.ref()));
    assertThat(answer).isEqualTo(new Heartbeat(model.heartbeat(worker, LEASE), gone));
  }

  private void rescue() {
    List<ClaimRef> lost = bench.lostClaims().stream().map(claim -> claim.ref()).toList();
    assertThat(lost).containsExactlyInAnyOrderElementsOf(model.lost());
    lost.forEach(ref -> finish(ref, Verdicts.struck(new Strikes(1, lost.size() - 1))));
  }

  private void cap(String queue, @Nullable Long most) {
    bench
        .store()
        .queues()
        .save(QueueSettings.of(queue).withPaused(model.isPaused(queue)).withMaxSize(most));
    model.cap(queue, most);
  }

  private void expire() {
    List<UUID> expired = bench.store().expire(ALL);
    assertThat(expired).doesNotHaveDuplicates().containsAll(model.expirable(true));
    assertThat(model.expirable(false)).containsAll(expired);
    model.expire(expired, Defaults.KEEP_DEAD);
  }

  // ---- choosing

  private static <T> T pick(List<T> things, Step step) {
    return things.get(step.target() % things.size());
  }

  private static <T> List<T> some(List<T> things, Step step) {
    return things.isEmpty() ? List.of() : List.of(pick(things, step));
  }

  /** Mostly a live worker, which signs on if there is none. */
  private long worker(Step step) {
    if (step.way() % 5 == 0) {
      return pick(workers, step);
    }
    if (workers.stream().noneMatch(model::isAlive)) {
      register();
    }
    return pick(workers.stream().filter(model::isAlive).toList(), step);
  }

  private List<UUID> replayable() {
    return model.newestFirst().stream()
        .filter(job -> job.state.isReplayable())
        .map(job -> job.made.id())
        .toList();
  }

  /** Every job there ever was, without those of which a store may say one thing or the other. */
  private List<UUID> known() {
    return jobs.stream().filter(job -> !model.links().forgotten().contains(job)).toList();
  }

  private List<UUID> tied() {
    return model.newestFirst().stream()
        .filter(job -> job.tied)
        .map(job -> job.made.id())
        .toList();
  }

  private List<ClaimRef> live(Step step) {
    return some(model.in(JobState.RUNNING).map(Model.Job::ref).toList(), step);
  }

  // ---- looking

  private void compare() {
    assertThat(bench.store().page(JobFilter.all(), null, ALL).items())
        .filteredOn(job -> !model.links().forgotten().contains(job.id()))
        .extracting(ModelRun::seen)
        .isEqualTo(model.newestFirst().stream().map(ModelRun::seen).toList());
    if (model.links().forgotten().isEmpty()) {
      assertThat(counted()).isEqualTo(expectedCounts());
    }
    links.compare();
    assertThat(bench.store().heads())
        .extracting(head -> List.of(head.lane(), head.priority(), head.first()))
        .containsExactlyInAnyOrderElementsOf(model.heads().stream()
            .map(head -> List.<Object>of(head.lane(), head.priority(), head.first()))
            .toList());
    assertThat(bench.store().queues().sizes())
        .extracting(size -> List.<Object>of(size.queue(), size.unfinished(), size.maxSize()))
        .isEqualTo(model.caps().entrySet().stream()
            .map(cap ->
                List.<Object>of(cap.getKey(), model.unfinished(cap.getKey()), cap.getValue()))
            .toList());
    assertThat(bench.store().workers().live())
        .extracting(WorkerRecord::id)
        .containsExactlyInAnyOrderElementsOf(
            workers.stream().filter(model::isAlive).toList());
  }

  private Map<List<Object>, Long> counted() {
    Map<List<Object>, Long> counted = new HashMap<>();
    for (Count count : bench.store().counts(null)) {
      counted.put(List.of(count.queue(), count.type(), count.state()), count.jobs());
    }
    return counted;
  }

  private Map<List<Object>, Long> expectedCounts() {
    Map<List<Object>, Long> counts = new HashMap<>();
    for (Model.Job job : model.newestFirst()) {
      Lane lane = job.made.lane();
      counts.merge(List.of(lane.queue(), lane.type(), job.state), 1L, Long::sum);
    }
    return counts;
  }

  private static Seen seen(JobRecord job) {
    JobStatus status = job.status();
    return new Seen(
        job.id(),
        job.lane(),
        job.state(),
        numbers(
            status.attempt(),
            status.strikes(),
            status.replays(),
            status.errors().size()),
        status.runAt(),
        status.startedAt(),
        status.finishedAt(),
        reason(status.reason()));
  }

  private static @Nullable String reason(@Nullable String told) {
    return told != null && told.contains(", which it waits for, ")
        ? ModelLinks.BECAUSE_OF_ANOTHER
        : told;
  }

  private static Seen seen(Model.Job job) {
    return new Seen(
        job.made.id(),
        job.made.lane(),
        job.state,
        numbers(job.attempt, job.strikes.alone(), job.replays, job.errors),
        job.runAt,
        job.startedAt,
        job.finishedAt,
        job.reason);
  }

  private static List<Integer> numbers(int... values) {
    return IntStream.of(values).boxed().toList();
  }
}
