package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Lane;
import io.sluice.Names;
import io.sluice.RemoteClaim;
import io.sluice.RemoteJob;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remote workers in line for jobs: those of one queue take their turn, none polls the store by itself. */
final class RemoteQueue {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteQueue.class);
  private static final Duration CONTENDED = Duration.ofMillis(20);
  private static final int TURNSTILES = 64;
  private static final int MOST_LANES = 10_000;

  private final JobStore store;
  private final QueueCache queues;
  private final Board board;
  private final Visits visits;
  private final Flow flow;
  private final LongSupplier nanoTime;
  private final Quarantine quarantine;
  private final Map<Lane, Long> served = new ConcurrentHashMap<>();
  private final AtomicLong turns = new AtomicLong();
  private final List<ReentrantLock> turnstiles =
      Stream.generate(ReentrantLock::new).limit(TURNSTILES).toList();

  RemoteQueue(
      JobStore store,
      QueueCache queues,
      Board board,
      Visits visits,
      Flow flow,
      LongSupplier nanoTime) {
    this.store = store;
    this.queues = queues;
    this.board = board;
    this.visits = visits;
    this.flow = flow;
    this.nanoTime = nanoTime;
    this.quarantine = new Quarantine(nanoTime);
  }

  /** What holds lanes back, and how often to look where no hint came. */
  record Flow(Valve valve, Duration poll) {}

  /** Which of the claimed jobs the worker gets. */
  interface HandOut {
    List<RemoteJob> of(RemoteClaim claim, List<ClaimedJob> claimed);
  }

  /** One look at the board, and what came of it. */
  private record Round(
      Board.View view, Duration pause, List<ClaimedJob> claimed, List<RemoteJob> jobs) {}

  List<RemoteJob> claim(RemoteClaim claim, HandOut handOut) {
    requireOpen();
    long since = nanoTime.getAsLong();
    long end = since + claim.waitFor().toNanos();
    long news = 0;
    while (true) {
      Round round = round(claim, handOut, news, since);
      if (round == null) {
        return List.of();
      }
      Board.View view = round.view();
      long pause = round.pause().toNanos();
      long left = end - nanoTime.getAsLong();
      if (!round.jobs().isEmpty() || left <= 0 || !waits(view, Math.min(left, pause))) {
        return round.jobs();
      }
      news = board.news();
      since = news > view.news() ? view.begunAt() : view.begunAt() + pause;
    }
  }

  /**
   * Looks and claims on a thread of its own, so that an interrupt of the caller's never cuts off the
   * answer of a claim: null then, and what it brings goes back unspent.
   */
  private @Nullable Round round(RemoteClaim claim, HandOut handOut, long news, long since) {
    CompletableFuture<Round> round = CompletableFuture.supplyAsync(
        () -> lookAndTake(claim, handOut, news, since),
        task -> Thread.ofVirtual().name("sluice-remote").start(task));
    try {
      return round.get();
    } catch (InterruptedException e) {
      Thread.ofVirtual().name("sluice-remote").start(() -> giveBack(round));
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SluiceException known
          ? known
          : new IllegalStateException("a remote claim failed", e.getCause());
    }
  }

  private void giveBack(CompletableFuture<Round> late) {
    try {
      giveBack(late.join().claimed());
    } catch (RuntimeException e) {
      LOG.warn("an interrupted claim failed: {}", e.toString());
    }
  }

  /** Returns jobs as if they had not been claimed; where that fails they wait for their leases to end. */
  void giveBack(List<ClaimedJob> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    try {
      store.finish(jobs.stream()
          .map(job -> new Finish(job.ref(), Verdict.unspent(job.strikes())))
          .toList());
    } catch (SluiceException e) {
      LOG.warn("{} claimed jobs wait for their leases to end: {}", jobs.size(), e.getMessage());
    }
    jobs.forEach(job -> ended(job.ref()));
  }

  /** Notes that a job is in its worker's hands no longer. */
  void ended(ClaimRef ref) {
    quarantine.end(ref);
  }

  private Round lookAndTake(RemoteClaim claim, HandOut handOut, long news, long since) {
    requireQueue(claim);
    long worker = visits.of(claim);
    Board.View view = board.look(claim.tenant(), claim.queue(), news, since);
    boolean tries = !quarantine.holds(worker) && !offered(view, claim).isEmpty();
    Claimed claimed = tries ? take(claim, worker, view) : Claimed.NOTHING;
    return new Round(
        view, pause(tries, claimed), claimed.jobs(), handOut.of(claim, claimed.jobs()));
  }

  /** Work that was there and could not be had is looked for again soon; otherwise news are waited for. */
  private Duration pause(boolean tried, Claimed claimed) {
    boolean contended = tried && claimed.spent().isEmpty();
    return Stream.concat(
            Stream.of(contended ? CONTENDED : flow.poll),
            claimed.spent().stream().flatMap(limit -> Stream.ofNullable(limit.retryIn())))
        .min(Comparator.naturalOrder())
        .orElse(flow.poll);
  }

  /** Waits for news; false when the caller need not look again. */
  private boolean waits(Board.View view, long nanos) {
    try {
      board.await(view, nanos);
      return board.isOpen();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void requireQueue(RemoteClaim claim) {
    if (!queues.isKnown(claim.tenant(), claim.queue())
        && store.queues().find(claim.tenant(), claim.queue()).isEmpty()) {
      throw Names.unknownQueue(claim.tenant(), claim.queue());
    }
  }

  private void requireOpen() {
    if (!board.isOpen()) {
      throw new SluiceException(
          ErrorCode.SHUTDOWN_IN_PROGRESS, "the engine is not started, is stopping or has stopped");
    }
  }

  /** The lanes to take from: the most urgent first, and of those the one served longest ago. */
  private List<LaneHead> offered(Board.View view, RemoteClaim claim) {
    return view.heads().stream()
        .filter(head -> isWanted(head.lane(), claim) && view.offers(head))
        .filter(head -> room(head) > 0)
        .sorted(Comparator.comparingInt(LaneHead::priority)
            .thenComparingLong(head -> served.getOrDefault(head.lane(), 0L))
            .thenComparing(LaneHead::first, Uuid7.ORDER))
        .toList();
  }

  private void served(Claimed claimed) {
    if (served.size() >= MOST_LANES) {
      served.clear();
    }
    long turn = turns.incrementAndGet();
    claimed.jobs().forEach(job -> served.put(job.lane(), turn));
  }

  private static boolean isWanted(Lane lane, RemoteClaim claim) {
    return lane.tenant().equals(claim.tenant())
        && lane.queue().equals(claim.queue())
        && (claim.types().isEmpty()
            ? !lane.type().equals(WorkerSpec.HTTP)
            : claim.types().contains(lane.type()));
  }

  private int room(LaneHead head) {
    return flow.valve.room(head.lane());
  }

  /** Hands a suspect out alone: what was claimed with it goes back. */
  private Claimed alone(Claimed claimed, Duration lease) {
    List<ClaimedJob> out = quarantine.admit(claimed.jobs(), lease);
    if (out.size() == claimed.jobs().size()) {
      return claimed;
    }
    giveBack(claimed.jobs().stream().filter(job -> !out.contains(job)).toList());
    return new Claimed(out, claimed.spent(), claimed.left());
  }

  /** One at a time for each queue: whoever finds it empty spares the others the look. */
  private Claimed take(RemoteClaim claim, long worker, Board.View view) {
    ReentrantLock turnstile = turnstiles.get(
        Math.floorMod((claim.tenant() + '/' + claim.queue()).hashCode(), TURNSTILES));
    turnstile.lock();
    try {
      List<LaneHead> lanes = offered(view, claim);
      if (lanes.isEmpty()) {
        return Claimed.NOTHING;
      }
      List<LaneQuota> quotas = lanes.stream()
          .map(head ->
              new LaneQuota(head.laneId(), head.priority(), Math.min(claim.max(), room(head))))
          .filter(quota -> quota.quota() > 0)
          .toList();
      Claimed claimed = store.claim(new Claim(worker, quotas, claim.max(), claim.leaseFor())
          .within(Defaults.MAX_CLAIM_BYTES));
      served(claimed);
      if (claimed.jobs().size() < claim.max()) {
        view.emptied(lanes.stream()
            .filter(head -> room(head) == Integer.MAX_VALUE)
            .filter(head -> !claimed.left().contains(head.laneId()))
            .toList());
      }
      return alone(claimed, claim.leaseFor());
    } finally {
      turnstile.unlock();
    }
  }
}
