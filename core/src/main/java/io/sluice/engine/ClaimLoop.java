package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.JobType;
import io.sluice.QueueSettings;
import io.sluice.RetryPolicy;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Claims work as long as there is room for it, and hands it to the dispatcher. */
final class ClaimLoop {
  private static final Duration CONTENDED = Duration.ofMillis(20);
  private static final long SCARCE = Duration.ofMillis(10).toNanos();
  private static final long STALE = Duration.ofSeconds(1).toNanos();
  /** Payloads of claimed jobs may take up this much memory: a handler has two or three copies of its own. */
  private static final long MOST_BYTES =
      Math.max(2L * Defaults.MAX_ENVELOPE_BYTES, Runtime.getRuntime().maxMemory() / 8);

  /** What the loop works with. */
  record Parts(
      JobStore store,
      Lease lease,
      Gate gate,
      Dispatcher dispatcher,
      Runner runner,
      Attempts attempts,
      Strays strays) {}

  private final Parts parts;
  private final EngineSettings settings;
  private final Map<String, JobType<?>> types;
  private final QueueCache queues;
  private final Tools tools;
  private final Pace pace = new Pace();
  private final Patience patience;
  private final AtomicLong news = new AtomicLong();
  private long lookedAt;
  private long newsThen;
  private long doubtedAt;
  private boolean claimUnsure;

  ClaimLoop(
      Parts parts,
      EngineSettings settings,
      Map<String, JobType<?>> types,
      QueueCache queues,
      Tools tools) {
    this.parts = parts;
    this.settings = settings;
    this.types = types;
    this.queues = queues;
    this.tools = tools;
    this.patience = new Patience(settings.lease());
    this.doubtedAt = tools.nanoTime().getAsLong();
  }

  Duration runOnce() {
    giveBackStale();
    if (!parts.lease.mayStart()) {
      return settings.poll();
    }
    giveBackStrays();
    if (parts.dispatcher.isReserved()) {
      return settings.poll();
    }
    long now = tools.nanoTime().getAsLong();
    int room = room(now);
    if (room <= 0) {
      // Whoever is new in line is let in all the same, but not looked for without news or all the
      // time.
      if (news.get() == newsThen) {
        return settings.poll();
      }
      if (now - lookedAt < SCARCE) {
        return Duration.ofNanos(SCARCE - (now - lookedAt));
      }
    }
    lookedAt = now;
    newsThen = news.get();
    return claim(room, now);
  }

  private void giveBackStrays() {
    if (claimUnsure) {
      parts.strays.look();
      claimUnsure = false;
    }
    parts.strays.giveBack();
  }

  /** Has the limits asked again that had nothing to give: something has ended, or come in. */
  void tell() {
    news.incrementAndGet();
  }

  private Duration claim(int room, long now) {
    long known = news.get();
    parts.gate.look(parts.store, tools.nanoTime());
    Optional<Claim> claim = parts.gate.claim(parts.lease.worker(), room, now, known);
    if (claim.isEmpty()) {
      return rest(known);
    }
    Claimed claimed = claim(claim.get());
    parts.gate.learn(claimed, tools.nanoTime().getAsLong(), known);
    if (!claimed.jobs().isEmpty()) {
      return Duration.ZERO;
    }
    return claimed.spent().isEmpty() ? CONTENDED : rest(known);
  }

  private Duration rest(long known) {
    if (!parts.gate.isThrough()) {
      return Duration.ZERO;
    }
    long now = tools.nanoTime().getAsLong();
    long poll = settings.poll().toNanos();
    Duration pause = parts.gate.pause(settings.poll(), now, news.get());
    if (pause.toNanos() >= poll || now - doubtedAt >= poll) {
      // Nothing came meanwhile that would say so, but a poll takes nothing for granted.
      news.compareAndSet(known, known + 1);
      doubtedAt = now;
    }
    return pause;
  }

  private int room(long now) {
    int ahead = pace.ahead(now, parts.dispatcher.endedSoFar());
    return settings.slots() + ahead - parts.dispatcher.inHand();
  }

  private Claimed claim(Claim claim) {
    // Until the answer is here the store may have handed out jobs that we have not heard of.
    claimUnsure = true;
    Claimed claimed = parts.store.claim(claim.within(bytes()));
    if (!claimed.jobs().isEmpty()) {
      start(claimed.jobs());
    }
    claimUnsure = false;
    return claimed;
  }

  /** The size of payloads that there is memory for; with none, small jobs run on. */
  private long bytes() {
    long left = MOST_BYTES - parts.dispatcher.bytesInFlight();
    // By halves: until they are claimed they take up their size once more.
    return left <= 0 ? 0 : Math.max(1, left / 2);
  }

  private void start(List<ClaimedJob> jobs) {
    long now = tools.nanoTime().getAsLong();
    List<Unit> units = new ArrayList<>(jobs.size());
    Map<String, List<Attempt>> batches = new LinkedHashMap<>();
    for (ClaimedJob job : jobs) {
      Attempt attempt = attempt(job, now);
      parts.attempts.add(attempt);
      if (isBatched(attempt)) {
        batches.computeIfAbsent(attempt.type.name(), t -> new ArrayList<>()).add(attempt);
      } else {
        units.add(unit(List.of(attempt), now));
      }
    }
    batches.values().forEach(batch -> split(batch, now, units));
    if (!parts.dispatcher.submit(units)) {
      giveBack(units);
    }
  }

  /** Jobs of a batch type go together, but for suspects; any other job stands for itself. */
  private static boolean isBatched(Attempt attempt) {
    return attempt.type.work() instanceof JobType.Work.Many<?>
        && !attempt.claimed.strikes().isSuspect();
  }

  private void split(List<Attempt> batch, long now, List<Unit> units) {
    int size = batch.getFirst().type.work() instanceof JobType.Work.Many<?> many ? many.size() : 1;
    for (int from = 0; from < batch.size(); from += size) {
      units.add(unit(batch.subList(from, Math.min(batch.size(), from + size)), now));
    }
  }

  private Unit unit(List<Attempt> attempts, long now) {
    return new Unit(attempts, now, patience.nanos(attempts.getFirst().claimed.strikes()));
  }

  private Attempt attempt(ClaimedJob job, long now) {
    JobType<?> type = types.get(job.lane().type());
    if (type == null) {
      throw new IllegalStateException("claimed a type that is not handled: " + job.lane());
    }
    QueueSettings queue = queues.of(job.lane());
    RetryPolicy policy = Optional.ofNullable(job.spec().retry())
        .or(type::retry)
        .or(() -> Optional.ofNullable(queue.retry()))
        .orElse(Defaults.RETRY);
    Duration timeout = Optional.ofNullable(job.spec().timeout())
        .or(type::timeout)
        .or(() -> Optional.ofNullable(queue.timeout()))
        .orElse(Defaults.TIMEOUT);
    Duration bounded = timeout.compareTo(Intake.LONGEST) < 0 ? timeout : Intake.LONGEST;
    return new Attempt(job, now, type, policy, bounded);
  }

  /** Gives back what was claimed for soon and found no slot: another worker may be free. */
  private void giveBackStale() {
    long moment = tools.nanoTime().getAsLong() - STALE;
    giveBack(parts.dispatcher.takeWaitingSince(moment));
  }

  private void giveBack(Collection<Unit> units) {
    units.forEach(u -> u.attempts.forEach(parts.runner::giveBack));
  }
}
