package io.sluice.postgres;

import io.sluice.Scope;
import io.sluice.postgres.LowWater.Place;
import io.sluice.postgres.Taker.Batch;
import io.sluice.postgres.Taker.Pick;
import io.sluice.store.Allowance;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.LaneFlow.Order;
import io.sluice.store.LaneQuota;
import io.sluice.store.TokenBucket;
import io.sluice.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One claim of lanes that are under limits or orders, in a transaction of its own: it holds the rows of
 * the limits, counts what runs, takes what they leave, and keeps what was used. Rows that another claim
 * holds are not waited for; their lanes are left out.
 */
final class LimitedClaim {
  private static final Duration SOON = Duration.ofMillis(2);
  /** Statements that one claim makes at most, where lanes share limits by turns. */
  private static final int MOST_RUNS = 16;

  private static final int MOST_ORDERS = 100;

  /** The interval of a bucket where no rate is set, and nothing is used. */
  private static final Duration NO_RATE = Duration.ofDays(1);

  /** What every claim works with. */
  record Parts(Database database, Catalog catalog, Taker taker, Finisher finisher, Costs costs) {}

  /** What came of it; {@code unsure} when that nothing was taken may be due to rules that changed. */
  record Result(Claimed claimed, boolean unsure) {}

  /** Picks that follow one another and share the limits that may run out amid them. */
  private record Run(Set<Bound> shared, List<Pick> picks) {}

  private final Parts parts;
  private final Claim claim;
  private final List<LaneQuota> lanes;
  private final Rules rules;
  private final Map<Integer, LaneFlow> flows;
  private final FlowLook look;
  private final LargeLimits large = new LargeLimits();
  private final List<ClaimedJob> granted = new ArrayList<>();
  private final List<Finish> returned = new ArrayList<>();
  private final Set<Order> begun = new HashSet<>();
  private final List<UUID> inOrder = new ArrayList<>();
  private final Set<Integer> left = new HashSet<>();
  private long bytes;

  LimitedClaim(
      Parts parts, Claim claim, List<LaneQuota> lanes, Rules rules, Map<Integer, LaneFlow> flows) {
    this.parts = parts;
    this.claim = claim;
    this.lanes = lanes;
    this.rules = rules;
    this.flows = flows;
    this.look = new FlowLook(
        rules,
        lanes.stream().map(lane -> flow(lane.laneId())).toList(),
        Math.max(claim.max(), MOST_ORDERS));
  }

  private LaneFlow flow(int lane) {
    return flows.getOrDefault(lane, LaneFlow.FREE);
  }

  Result on(Connection connection) throws SQLException {
    look.on(connection, parts.database());
    if (!look.isCurrent()) {
      return new Result(Claimed.NOTHING, true);
    }
    Map<Scope, Integer> running = running(connection, look.running());
    running.putAll(most(connection));
    Allowance allowance = new Allowance(
        look.now(), claim.starts(), scope -> running.getOrDefault(scope, 0), look::bucket);
    List<Pick> picks = picks(allowance);
    boolean asked = false;
    List<Run> runs = runs(picks, allowance);
    for (int i = 0; i < runs.size(); i++) {
      if (i < MOST_RUNS) {
        asked |= take(connection, runs.get(i), allowance);
      } else {
        leave(runs.get(i), allowance);
      }
    }
    noteSpent(allowance);
    keep(connection, allowance);
    return new Result(
        new Claimed(granted, large.timed(allowance.spent()), left),
        asked && granted.isEmpty() && left.isEmpty());
  }

  /** The most that may run under large limits. */
  private Map<Scope, Integer> most(Connection connection) throws SQLException {
    for (LaneQuota lane : lanes) {
      LaneFlow flow = flow(lane.laneId());
      if (look.missing(flow).isEmpty()) {
        large.want(flow, lane.quota(), look);
      }
    }
    if (large.mustCount(claim.max())) {
      Map<Integer, Integer> all = new HashMap<>();
      try (Call call = parts.database().call(connection, "count-all-running")) {
        call.each(row -> all.put(row.getInt("lane"), row.getInt("jobs")));
      }
      large.count(running(connection, all));
    }
    return large.most();
  }

  /** How many jobs run by scope, of so many by the number of their lane. */
  private Map<Scope, Integer> running(Connection connection, Map<Integer, Integer> byLane)
      throws SQLException {
    Map<Scope, Integer> running = new HashMap<>();
    var known = parts.catalog().lanes(connection, byLane.keySet());
    byLane.forEach((lane, jobs) -> {
      Catalog.KnownLane home = known.get(lane);
      if (home != null) {
        rules.of(home).bounds().forEach(bound -> running.merge(bound.scope(), jobs, Integer::sum));
      }
    });
    return running;
  }

  /** What may be asked for: nothing that somebody else decides about, and of an order its first job. */
  private List<Pick> picks(Allowance allowance) {
    List<Pick> picks = new ArrayList<>();
    for (LaneQuota lane : lanes) {
      LaneFlow flow = flow(lane.laneId());
      List<Scope> missing = look.missing(flow);
      missing.forEach(scope -> allowance.note(scope, lane.laneId(), SOON));
      if (missing.isEmpty() && mayRun(lane)) {
        FlowLook.Head head = look.head(flow.order());
        UUID only = head == null ? null : head.job();
        boolean counted = LargeLimits.isCounted(flow);
        picks.add(new Pick(place(lane), only == null ? lane.quota() : 1, counted, only));
      }
    }
    return picks;
  }

  private static Place place(LaneQuota lane) {
    return new Place(lane.laneId(), lane.priority());
  }

  private boolean mayRun(LaneQuota lane) {
    Order order = flow(lane.laneId()).order();
    FlowLook.Head head = look.head(order);
    return order == null || (head != null && place(lane).equals(head.place()));
  }

  private List<Run> runs(List<Pick> picks, Allowance allowance) {
    Map<Bound, List<Pick>> under = new HashMap<>();
    for (Pick pick : picks) {
      flow(pick.place().lane())
          .bounds()
          .forEach(bound -> under.computeIfAbsent(bound, b -> new ArrayList<>()).add(pick));
    }
    Set<Bound> shared = under.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1
            && most(entry.getKey(), allowance) < wanted(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
    List<Run> runs = new ArrayList<>();
    for (Pick pick : picks) {
      Set<Bound> own = new HashSet<>(flow(pick.place().lane()).bounds());
      own.retainAll(shared);
      if (runs.isEmpty() || !runs.getLast().shared().equals(own)) {
        runs.add(new Run(own, new ArrayList<>()));
      }
      runs.getLast().picks().add(pick);
    }
    return runs;
  }

  private int most(Bound bound, Allowance allowance) {
    return allowance.most(bound, parts.costs().of(bound.scope()));
  }

  private int wanted(List<Pick> picks) {
    long sum = picks.stream().mapToLong(Pick::quota).sum();
    return (int) Math.min(claim.max(), sum);
  }

  /** Takes what the limits leave of some lanes; true when there was something to ask for. */
  private boolean take(Connection connection, Run run, Allowance allowance) throws SQLException {
    int max = claim.max() - granted.size();
    for (Bound bound : run.shared()) {
      max = Math.min(max, most(bound, allowance));
    }
    List<Pick> picks = run.picks().stream()
        .map(pick ->
            pick.atMost(allowance.most(flow(pick.place().lane()).bounds(), parts.costs()::of)))
        .filter(pick -> pick.quota() > 0)
        .toList();
    if (max <= 0 || picks.isEmpty()) {
      return false;
    }
    Taker.Haul haul = parts
        .taker()
        .take(
            connection,
            claim.within(Math.max(0, claim.bytes() - bytes)),
            new Batch(rules.version(), max, picks));
    left.addAll(haul.left());
    bytes += haul.bytes();
    List<Taken> taken = haul.jobs();
    var known =
        parts.catalog().lanes(connection, taken.stream().map(Taken::lane).toList());
    Set<Place> over = new HashSet<>();
    for (int from = 0, to; from < taken.size(); from = to) {
      to = endOfAlike(taken, from);
      grant(taken.get(from), known, over, allowance);
      List<Taken> rest = taken.subList(from + 1, to);
      boolean ended = over.contains(taken.get(from).place());
      if (rest.isEmpty() || ended || !grantAll(rest, known, allowance)) {
        rest.forEach(job -> grant(job, known, over, allowance));
      }
    }
    return true;
  }

  /** Where jobs of one place end that all cost 1. */
  private static int endOfAlike(List<Taken> taken, int from) {
    Place place = taken.get(from).place();
    int to = from;
    while (to < taken.size()
        && taken.get(to).place().equals(place)
        && taken.get(to).spec().cost() == 1) {
      to++;
    }
    return Math.max(to, from + 1);
  }

  /** Hands jobs of one place out that cost 1 each, if all may start now: most limits are far away. */
  private boolean grantAll(
      List<Taken> jobs, Map<Integer, Catalog.KnownLane> known, Allowance allowance) {
    LaneFlow flow = flow(jobs.getFirst().lane());
    boolean plain = flow.order() == null
        && flow.bounds().stream().allMatch(bound -> parts.costs().isPlain(bound.scope()));
    if (!plain || !allowance.grantAll(flow.bounds(), jobs.size())) {
      return false;
    }
    jobs.forEach(job -> granted.add(job.in(known)));
    large.grant(flow, jobs.size());
    return true;
  }

  /** Hands a job out, unless it turns out to cost too much: then it, and those behind it, go back. */
  private void grant(
      Taken job, Map<Integer, Catalog.KnownLane> known, Set<Place> over, Allowance allowance) {
    LaneFlow flow = flow(job.lane());
    int cost = job.spec().cost();
    flow.bounds().forEach(bound -> parts.costs().note(bound.scope(), cost));
    Duration start = over.contains(job.place())
        ? null
        : allowance.grant(job.lane(), flow.bounds(), cost).orElse(null);
    if (start == null) {
      over.add(job.place());
      returned.add(new Finish(job.ref(), Verdict.unspent(job.strikes())));
    } else {
      granted.add(job.in(known).withStartIn(start));
      large.grant(flow, 1);
      Order order = flow.order();
      if (order != null) {
        begun.add(order);
        inOrder.add(job.ref().job());
      }
    }
  }

  private void leave(Run run, Allowance allowance) {
    for (Pick pick : run.picks()) {
      int lane = pick.place().lane();
      flow(lane).bounds().forEach(bound -> allowance.note(bound.scope(), lane, SOON));
    }
  }

  /** Notes what would hold the next job of a lane. */
  private void noteSpent(Allowance allowance) {
    Set<Place> named = lanes.stream().map(LimitedClaim::place).collect(Collectors.toSet());
    for (LaneQuota lane : lanes) {
      LaneFlow flow = flow(lane.laneId());
      if (look.missing(flow).isEmpty()) {
        allowance.isHeld(lane.laneId(), flow.bounds(), 1);
        Order order = flow.order();
        FlowLook.Head head = look.head(order);
        if (order != null
            && head != null
            && (head.busy() || begun.contains(order) || isElsewhere(head, named))) {
          allowance.note(order.scope(), lane.laneId(), null);
        }
      }
    }
  }

  /** True when the first job of an order is in a place that this claim did not name. */
  private static boolean isElsewhere(FlowLook.Head head, Set<Place> named) {
    Place place = head.place();
    return place != null && !named.contains(place);
  }

  private void keep(Connection connection, Allowance allowance) throws SQLException {
    if (!inOrder.isEmpty()) {
      try (Call call = parts.database().call(connection, "tidy-orders")) {
        call.set("ids", inOrder).update();
      }
    }
    if (!returned.isEmpty()) {
      parts.finisher().finish(connection, returned);
    }
    Map<Scope, TokenBucket> buckets = new HashMap<>(allowance.changed());
    large.granted().forEach(scope -> buckets.computeIfAbsent(scope, this::unchanged));
    var changed = List.copyOf(buckets.entrySet());
    if (changed.isEmpty()) {
      return;
    }
    try (Call call = parts.database().call(connection, "keep-buckets")) {
      call.column("scopes", "text", changed, e -> FlowLook.text(e.getKey()), String[]::new)
          .column(
              "moments",
              "timestamptz",
              changed,
              e -> Objects.requireNonNull(Times.offset(roundedUp(e.getValue().goodAt()))),
              OffsetDateTime[]::new)
          .column("intervals", "int8", changed, e -> e.getValue().interval().toNanos(), Long[]::new)
          .column(
              "as_of",
              "timestamptz",
              changed,
              e -> Objects.requireNonNull(Times.offset(e.getValue().asOf())),
              OffsetDateTime[]::new)
          .column("most", "int4", changed, e -> large.most().get(e.getKey()), Integer[]::new)
          .set("version", rules.version())
          .update();
    }
  }

  /** The bucket of a scope that no rate was charged for: as it was, or one of which nothing is used. */
  private TokenBucket unchanged(Scope scope) {
    TokenBucket before = look.bucket(scope);
    return before == null || before.isFull(look.now())
        ? new TokenBucket(look.now(), before == null ? NO_RATE : before.interval(), look.now())
        : before;
  }

  private static Instant roundedUp(Instant moment) {
    return moment.plusNanos(999).truncatedTo(ChronoUnit.MICROS);
  }
}
