package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchRequest;
import io.sluice.JobRequest;
import io.sluice.Sluice;
import io.sluice.crashtest.PairProcess.Round;
import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two processes end the last two jobs that a third one waits for at the same moment, again and again: it
 * starts once, never twice and never not at all. In every fourth round one of the two fails.
 */
@Tag("slow")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class LastTwoTest {
  /** How the third one waits for the two. */
  enum Kind {
    /** It is there before they end. */
    AFTER,
    /** It comes while they end. */
    COMING,
    /** It is the callback of their batch. */
    CALLBACK
  }

  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final int ROUNDS = Tier.choose(20, 1_000);
  private static final String SUCCESSOR = "successor";
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration A_WHILE = Duration.ofSeconds(2);

  @TempDir
  Path folder;

  private Server server;
  private Sluice sluice;
  private Meeting meeting;
  private final List<Child> pair = new ArrayList<>();
  private final Map<Long, Integer> starts = new ConcurrentHashMap<>();
  private final BlockingQueue<Long> started = new LinkedBlockingQueue<>();
  private final Map<Long, Entry.Told> comings = new HashMap<>();

  @BeforeEach
  void start() throws InterruptedException {
    server = Server.start(folder.resolve("postgres"));
    meeting = PairProcess.meeting(folder);
    sluice = Sluice.builder(PostgresStore.connect(server.url()))
        .slots(2)
        .poll(POLL)
        .handler(SUCCESSOR, Round.class, (job, context) -> {
          starts.merge(job.payload().number(), 1, Integer::sum);
          started.add(job.payload().number());
        })
        .build()
        .start();
    List<String> arguments =
        List.of(server.url(), folder.toString(), "1", Long.toString(LEASE.toMillis()));
    pair.add(Child.start(PairProcess.LEFT, PairProcess.class, folder, arguments));
    pair.add(Child.start(PairProcess.RIGHT, PairProcess.class, folder, arguments));
    assertThat(Clock.awaits(PATIENCE, () -> ready() == pair.size()))
        .as("both processes start: see the logs in " + folder)
        .isTrue();
  }

  private long ready() {
    return Journal.read(folder, "").stream()
        .filter(e -> e instanceof Entry.Ready)
        .count();
  }

  @AfterEach
  void stop() {
    pair.forEach(Child::kill);
    sluice.stop(Duration.ofSeconds(1));
    server.close();
  }

  @Test
  void successorStartsOnce_whenTheLastTwoEndAtTheSameMoment() throws InterruptedException {
    long rounds = (long) ROUNDS * KINDS.size();
    for (long number = 1; number <= rounds; number++) {
      UUID successor = meet(number);
      assertThat(started.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(() -> "start of the successor, " + sluice.find(successor))
          .isEqualTo(number);
    }
    // Whoever would start one a second time does so by then.
    Clock.rest(A_WHILE);
    for (Kind kind : KINDS) {
      System.out.println(figures(kind));
    }
    assertThat(starts)
        .hasSize((int) rounds)
        .allSatisfy((round, n) -> assertThat(n).isEqualTo(1));
    assertThat(Bench.ask(server, "select count(*) from sluice.done")).isEqualTo(3 * rounds);
  }

  private static Kind kind(long number) {
    return KINDS.get((int) (number % KINDS.size()));
  }

  /** Has the two end at the same moment, and returns the one that waits for them. */
  private UUID meet(long number) {
    JobRequest left = new Round(number, false).of(PairProcess.LEFT);
    JobRequest right = new Round(number, number % 4 == 0).of(PairProcess.RIGHT);
    JobRequest successor = new Round(number, false).of(SUCCESSOR).afterPolicy(AfterPolicy.RUN);
    if (kind(number) == Kind.CALLBACK) {
      BatchRequest batch =
          BatchRequest.named("pair").callback(new Round(number, false).of(SUCCESSOR));
      batch.add(left);
      batch.add(right);
      UUID callback = sluice.enqueue(batch).callback();
      join(number);
      return callback;
    }
    UUID first = sluice.enqueue(left).id();
    successor.after(first, sluice.enqueue(right).id());
    if (kind(number) == Kind.COMING) {
      join(number);
      long begin = Clock.now();
      UUID id = sluice.enqueue(successor).id();
      comings.put(number, new Entry.Told(begin, "director", number, Clock.now()));
      return id;
    }
    UUID id = sluice.enqueue(successor).id();
    join(number);
    return id;
  }

  private void join(long number) {
    assertThat(meeting.join(PairProcess.DIRECTOR, number, PATIENCE))
        .as("the two have their jobs of round %d", number)
        .isTrue();
  }

  private String figures(Kind kind) {
    Map<Long, List<Entry.Told>> told = new HashMap<>();
    for (Entry entry : Journal.read(folder, "")) {
      if (entry instanceof Entry.Told one && kind(one.round()) == kind) {
        told.computeIfAbsent(one.round(), r -> new ArrayList<>()).add(one);
      }
    }
    List<List<Entry.Told>> pairs =
        told.values().stream().filter(t -> t.size() == 2).toList();
    long both = pairs.stream().filter(t -> overlap(t.getFirst(), t.getLast())).count();
    long[] apart = pairs.stream()
        .mapToLong(t -> Math.abs(t.getFirst().at() - t.getLast().at()))
        .toArray();
    long with = pairs.stream()
        .flatMap(List::stream)
        .filter(t -> comings.containsKey(t.round()) && overlap(t, comings.get(t.round())))
        .map(Entry.Told::round)
        .distinct()
        .count();
    long once = starts.entrySet().stream()
        .filter(e -> kind(e.getKey()) == kind && e.getValue() == 1)
        .count();
    return String.format(
        "last two at once, %s: started once in %d of %d rounds; both ends under way at once in %d, begun %d"
            + " microseconds apart (median)%s",
        kind,
        once,
        ROUNDS,
        both,
        apart.length == 0 ? -1 : Bench.percentile(apart, 0.5).toNanos() / 1_000,
        kind == Kind.COMING ? "; the successor's insert with one of them in " + with : "");
  }

  private static boolean overlap(Entry.Told a, Entry.Told b) {
    return a.at() < b.until() && b.at() < a.until();
  }
}
