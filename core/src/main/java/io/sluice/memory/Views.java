package io.sluice.memory;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.SluiceException;
import io.sluice.store.Count;
import io.sluice.store.JobBytes;
import io.sluice.store.ReasonCount;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks at many jobs. A list or a search goes over them in slices and lets others at the lock between
 * two of them: nobody's heartbeat waits for a search through a million payloads.
 */
final class Views {
  private static final int SLICE = 2_000;
  private static final Comparator<Count> COUNT_ORDER = Comparator.comparing(Count::tenant)
      .thenComparing(Count::queue)
      .thenComparing(Count::type)
      .thenComparing(Count::state);

  /** What one count is about. */
  private record Group(String tenant, String queue, String type, JobState state) {}

  private final Access access;

  Views(Access access) {
    this.access = access;
  }

  Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    Predicate<JobEntry> search = new Search(filter);
    List<JobRecord> found = new ArrayList<>();
    scan(parse(cursor), size.jobs() + 1, search, job -> found.add(job.asRecord(size.detail())));
    return JobBytes.page(found, size);
  }

  List<ReasonCount> deadReasons(JobFilter filter) {
    Predicate<JobEntry> search = new Search(filter);
    Map<String, Long> reasons = new HashMap<>();
    scan(
        null,
        Integer.MAX_VALUE,
        job -> Search.isDead(job) && search.test(job),
        job -> reasons.merge(Search.reasonOf(job), 1L, Long::sum));
    return reasons.entrySet().stream()
        .map(entry -> new ReasonCount(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(ReasonCount::jobs)
            .reversed()
            .thenComparing(ReasonCount::reason))
        .toList();
  }

  Map<String, Long> bytes(Set<String> tenants) {
    Map<String, Long> bytes = new HashMap<>();
    scan(
        null,
        Integer.MAX_VALUE,
        job -> tenants.contains(job.lane.lane.tenant()),
        job -> bytes.merge(job.lane.lane.tenant(), bytes(job), Long::sum));
    return bytes;
  }

  private static long bytes(JobEntry job) {
    Ending ending = job.ending;
    return bytes(job.spec.payload()) + (ending == null ? 0 : bytes(ending.result()));
  }

  private static long bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static @Nullable UUID parse(@Nullable String cursor) {
    try {
      return cursor == null ? null : UUID.fromString(cursor);
    } catch (IllegalArgumentException e) {
      throw SluiceException.invalid("cursor", "must be one that a page came with");
    }
  }

  /** Hands over at most so many of the jobs that fit, newest first, each under the lock. */
  private void scan(
      @Nullable UUID before, int max, Predicate<JobEntry> fits, Consumer<JobEntry> take) {
    Scan scan = new Scan(before, max);
    while (scan.goesOn) {
      access.with((shelf, now) -> {
        scan.slice(shelf, now, fits, take);
        return scan;
      });
    }
  }

  /** How far a scan is. */
  private static final class Scan {
    private @Nullable UUID before;
    private int left;
    private boolean goesOn = true;

    Scan(@Nullable UUID before, int left) {
      this.before = before;
      this.left = left;
    }

    void slice(Shelf shelf, Instant now, Predicate<JobEntry> fits, Consumer<JobEntry> take) {
      int seen = 0;
      for (JobEntry job : shelf.newestFirst(before)) {
        if (left == 0 || seen == SLICE) {
          goesOn = left > 0;
          return;
        }
        seen++;
        before = job.id;
        if (!job.isPast(now) && fits.test(job)) {
          take.accept(job);
          left--;
        }
      }
      goesOn = false;
    }
  }

  List<Count> counts(@Nullable String tenant) {
    Map<Group, Long> counts = access.with((shelf, now) -> counted(shelf, now));
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(entry -> count(entry.getKey(), entry.getValue()))
        .filter(count -> tenant == null || tenant.equals(count.tenant()))
        .sorted(COUNT_ORDER)
        .toList();
  }

  long deadLetters(long most) {
    long dead = counts(null).stream()
        .filter(count -> count.state() == JobState.DEAD)
        .mapToLong(Count::jobs)
        .sum();
    return Math.min(most, dead);
  }

  private static Count count(Group group, long jobs) {
    return new Count(group.tenant(), group.queue(), group.type(), group.state(), jobs);
  }

  /** The lanes' own counts, less what is past its keeping and waits for the next purge. */
  private static Map<Group, Long> counted(Shelf shelf, Instant now) {
    Map<Group, Long> counts = new HashMap<>();
    for (LaneEntry lane : shelf.lanes.all()) {
      for (JobState state : JobState.values()) {
        counts.merge(group(lane, state), lane.count(state), Long::sum);
      }
    }
    for (JobEntry past : shelf.past(now, Integer.MAX_VALUE)) {
      counts.merge(group(past.lane, past.state), -1L, Long::sum);
    }
    return counts;
  }

  private static Group group(LaneEntry lane, JobState state) {
    return new Group(lane.lane.tenant(), lane.lane.queue(), lane.lane.type(), state);
  }

  /** By the first of each lane and priority: within one, ids follow the time of creation. */
  Optional<Instant> oldestReady(@Nullable String tenant) {
    List<JobEntry> firsts = access.with((shelf, now) -> shelf.lanes.firstReady());
    return firsts.stream()
        .filter(job -> tenant == null || tenant.equals(job.lane.lane.tenant()))
        .map(job -> job.createdAt)
        .min(Comparator.naturalOrder());
  }
}
