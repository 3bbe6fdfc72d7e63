package io.sluice.crashtest;

import io.sluice.BatchCounts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One line of the history. {@code at} is the machine's monotonic clock, which all processes share;
 * {@code who} is a process, as role and process id.
 */
sealed interface Entry {
  long at();

  /** How a run of a handler ended. */
  enum How {
    DONE,
    THREW,
    INTERRUPTED
  }

  /** A process is ready for work. */
  record Ready(long at, String who) implements Entry {}

  /** A producer is about to enqueue. */
  record Invoke(long at, String who, String key, Work work) implements Entry {}

  /** An enqueue was acknowledged. */
  record Ok(long at, String who, String key, UUID job) implements Entry {}

  /** An enqueue was refused: the job does not exist. */
  record Fail(long at, String who, String key, String why) implements Entry {}

  /** An enqueue may have happened or not. */
  record Unknown(long at, String who, String key) implements Entry {}

  /** A handler began, under the claim of this turn, with what it found in the payload. */
  record Start(
      long at, String who, String run, UUID job, int turn, int attempt, long seq, long checksum)
      implements Entry {}

  record End(long at, String who, String run, How how) implements Entry {}

  /** A process was answered a claim on a job. */
  record Granted(long at, String who, UUID job, int turn) implements Entry {}

  /** The director saw a claim of this process that was older than a lease. */
  record Held(long at, String who, UUID job, int turn) implements Entry {}

  /** The store said that it took the outcome of a claim, in the so manieth call of its process. */
  record Recorded(long at, String who, long call, UUID job, int turn) implements Entry {}

  /** A caller's open transaction holds this from now on: a key, a queue or a job. */
  record Pinned(long at, String what) implements Entry {}

  /** The director saw whether a batch is finished, and its counts. */
  record BatchSeen(long at, String name, boolean over, BatchCounts counts) implements Entry {}

  /** A process, or the database, got no time to run from then until now, and nobody had told it so. */
  record Stall(long at, String who, long since) implements Entry {}

  /** A fault begins, at one process or, with an empty name, at all. */
  record Begin(long at, int fault, FaultKind kind, String who) implements Entry {}

  record Over(long at, int fault) implements Entry {}

  /** The director saw a job under a claim whose lease ended this long before. */
  record Overdue(long at, UUID job, long millis) implements Entry {}

  /** The director saw so many jobs of the capped queue wait, and who held how many of its claims. */
  record Slots(long at, long waiting, Map<String, Integer> held) implements Entry {
    public Slots {
      held = Map.copyOf(held);
    }

    private String text() {
      return held.entrySet().stream()
          .map(e -> e.getKey() + "=" + e.getValue())
          .collect(Collectors.joining(","));
    }

    private static Map<String, Integer> parse(String text) {
      return text.isEmpty()
          ? Map.of()
          : Arrays.stream(text.split(",", -1))
              .map(pair -> pair.split("=", 2))
              .collect(Collectors.toMap(pair -> pair[0], pair -> Integer.parseInt(pair[1])));
    }
  }

  /** The store counted so many running jobs against the limit of a queue. */
  record Counted(long at, String queue, int running) implements Entry {}

  /** Somebody saw the counts of a batch, and so many of its jobs in the tables that were not over. */
  record Tally(long at, String who, long open, BatchCounts counts) implements Entry {}

  /** A process told the store the end of its job of a round, and was answered at the later moment. */
  record Told(long at, String who, long round, long until) implements Entry {}

  default String line() {
    List<Object> fields = switch (this) {
      case Ready e -> List.of("ready", e.who);
      case Invoke e ->
        List.of(
            "invoke",
            e.who,
            e.key,
            e.work.seq(),
            e.work.type(),
            e.work.millis(),
            e.work.failures(),
            e.work.checksum());
      case Ok e -> List.of("ok", e.who, e.key, e.job);
      case Fail e -> List.of("fail", e.who, e.key, e.why.replaceAll("\\s+", " "));
      case Unknown e -> List.of("unknown", e.who, e.key);
      case Start e -> List.of("start", e.who, e.run, e.job, e.turn, e.attempt, e.seq, e.checksum);
      case End e -> List.of("end", e.who, e.run, e.how);
      case Granted e -> List.of("granted", e.who, e.job, e.turn);
      case Held e -> List.of("held", e.who, e.job, e.turn);
      case Recorded e -> List.of("recorded", e.who, e.call, e.job, e.turn);
      case Pinned e -> List.of("pinned", e.what);
      case BatchSeen e ->
        List.of(
            "batch",
            e.name,
            e.over,
            e.counts.total(),
            e.counts.completed(),
            e.counts.failed(),
            e.counts.cancelled());
      case Stall e -> List.of("stall", e.who, e.since);
      case Begin e -> List.of("begin", e.fault, e.kind, e.who);
      case Over e -> List.of("over", e.fault);
      case Overdue e -> List.of("overdue", e.job, e.millis);
      case Slots e -> List.of("slots", e.waiting, e.text());
      case Counted e -> List.of("counted", e.queue, e.running);
      case Tally e ->
        List.of(
            "tally",
            e.who,
            e.open,
            e.counts.total(),
            e.counts.completed(),
            e.counts.failed(),
            e.counts.cancelled());
      case Told e -> List.of("told", e.who, e.round, e.until);
    };
    StringBuilder line = new StringBuilder().append(at());
    fields.forEach(field -> line.append('\t').append(field));
    return line.toString();
  }

  static Entry parse(String line) {
    String[] f = line.split("\t", -1);
    long at = Long.parseLong(f[0]);
    return switch (f[1]) {
      case "ready" -> new Ready(at, f[2]);
      case "invoke" ->
        new Invoke(
            at,
            f[2],
            f[3],
            new Work(
                Long.parseLong(f[4]),
                f[5],
                Integer.parseInt(f[6]),
                Integer.parseInt(f[7]),
                Long.parseLong(f[8])));
      case "ok" -> new Ok(at, f[2], f[3], UUID.fromString(f[4]));
      case "fail" -> new Fail(at, f[2], f[3], f[4]);
      case "unknown" -> new Unknown(at, f[2], f[3]);
      case "start" ->
        new Start(
            at,
            f[2],
            f[3],
            UUID.fromString(f[4]),
            Integer.parseInt(f[5]),
            Integer.parseInt(f[6]),
            Long.parseLong(f[7]),
            Long.parseLong(f[8]));
      case "end" -> new End(at, f[2], f[3], How.valueOf(f[4]));
      case "granted" -> new Granted(at, f[2], UUID.fromString(f[3]), Integer.parseInt(f[4]));
      case "held" -> new Held(at, f[2], UUID.fromString(f[3]), Integer.parseInt(f[4]));
      case "recorded" ->
        new Recorded(at, f[2], Long.parseLong(f[3]), UUID.fromString(f[4]), Integer.parseInt(f[5]));
      case "pinned" -> new Pinned(at, f[2]);
      case "batch" -> new BatchSeen(at, f[2], Boolean.parseBoolean(f[3]), counts(f, 4));
      case "stall" -> new Stall(at, f[2], Long.parseLong(f[3]));
      case "begin" -> new Begin(at, Integer.parseInt(f[2]), FaultKind.valueOf(f[3]), f[4]);
      case "over" -> new Over(at, Integer.parseInt(f[2]));
      case "overdue" -> new Overdue(at, UUID.fromString(f[2]), Long.parseLong(f[3]));
      case "slots" -> new Slots(at, Long.parseLong(f[2]), Slots.parse(f[3]));
      case "counted" -> new Counted(at, f[2], Integer.parseInt(f[3]));
      case "tally" -> new Tally(at, f[2], Long.parseLong(f[3]), counts(f, 4));
      case "told" -> new Told(at, f[2], Long.parseLong(f[3]), Long.parseLong(f[4]));
      default -> throw new IllegalArgumentException(line);
    };
  }

  private static BatchCounts counts(String[] fields, int from) {
    return new BatchCounts(
        Long.parseLong(fields[from]),
        Long.parseLong(fields[from + 1]),
        Long.parseLong(fields[from + 2]),
        Long.parseLong(fields[from + 3]));
  }
}
