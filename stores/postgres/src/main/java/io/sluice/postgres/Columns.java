package io.sluice.postgres;

import io.sluice.When;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** New jobs as the arrays that the insert takes, one for each column. */
final class Columns {
  /** Arrays of text are copied several times on their way: more bytes than this go in portions, or by COPY. */
  private static final long LARGE = 2L << 20;

  private Columns() {}

  /** True when the payloads have too many bytes for one statement. A single job is never too large. */
  static boolean areLarge(List<Draft> drafts) {
    long bytes = 0;
    for (Draft draft : drafts) {
      bytes += draft.job().spec().payload().length();
    }
    return bytes > LARGE && drafts.size() > 1;
  }

  /** The jobs in their order, in portions that are not too large. */
  static List<List<Draft>> portions(List<Draft> drafts) {
    List<List<Draft>> portions = new ArrayList<>();
    List<Draft> portion = new ArrayList<>();
    long bytes = 0;
    for (Draft draft : drafts) {
      int more = draft.job().spec().payload().length();
      if (!portion.isEmpty() && bytes + more > LARGE) {
        portions.add(portion);
        portion = new ArrayList<>();
        bytes = 0;
      }
      portion.add(draft);
      bytes += more;
    }
    portions.add(portion);
    return portions;
  }

  static void set(Call call, List<Draft> drafts) throws SQLException {
    call.set("ids", drafts.stream().map(Draft::id).toList())
        .column("lanes", "int4", drafts, Draft::lane, Integer[]::new)
        .column("priorities", "int2", drafts, Draft::priority, Short[]::new)
        .column("payloads", "text", drafts, d -> d.job().spec().payload(), String[]::new)
        .column("metadata", "text", drafts, Draft::metadata, String[]::new)
        .column("retries", "text", drafts, Draft::retry, String[]::new)
        .column("timeouts", "int8", drafts, Draft::timeoutMillis, Long[]::new)
        .column("keys", "text", drafts, Draft::key, String[]::new)
        .column("costs", "int4", drafts, Draft::cost, Integer[]::new)
        .set("queues", "int4", queues(drafts))
        .set("epoch", epoch(drafts));
    if (!areDue(drafts)) {
      call.column("expiries", "timestamptz", drafts, Columns::expiry, OffsetDateTime[]::new)
          .column("delays", "int8", drafts, d -> Times.delay(d.job().when()), Long[]::new)
          .column(
              "ats", "timestamptz", drafts, d -> Times.at(d.job().when()), OffsetDateTime[]::new)
          .column("batches", "uuid", drafts, d -> d.ties().batch(), UUID[]::new)
          .column("afters", "text", drafts, Draft::after, String[]::new)
          .column("waits", "int4", drafts, Draft::waits, Integer[]::new)
          .column("policies", "int2", drafts, Draft::policy, Short[]::new);
    }
  }

  /** True when all are to run at once, none has an expiry of its own, and none is bound to others. */
  static boolean areDue(List<Draft> drafts) {
    return drafts.stream()
        .allMatch(d -> d.job().when() instanceof When.Now
            && d.job().spec().expiresAt() == null
            && !d.isTied());
  }

  /** The oldest epoch in which one of the lanes was open. */
  static long epoch(List<Draft> drafts) {
    return drafts.stream().mapToLong(draft -> draft.openLane().epoch()).min().orElse(0);
  }

  static Integer[] queues(List<Draft> drafts) {
    return drafts.stream().map(draft -> draft.queue().id()).distinct().toArray(Integer[]::new);
  }

  static @Nullable OffsetDateTime expiry(Draft draft) {
    return Times.offset(draft.job().spec().expiresAt());
  }
}
