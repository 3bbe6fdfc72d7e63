package io.sluice.postgres;

import io.sluice.When;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** New jobs as the arrays that the insert takes, one for each column. */
final class Columns {
  private Columns() {}

  static void set(Call call, List<Draft> drafts) throws SQLException {
    call.set("ids", drafts.stream().map(Draft::id).toList())
        .set("lanes", "int4", column(drafts, Draft::lane, Integer[]::new))
        .set("priorities", "int2", column(drafts, Draft::priority, Short[]::new))
        .set("payloads", "text", column(drafts, d -> d.job().spec().payload(), String[]::new))
        .set("metadata", "text", column(drafts, Draft::metadata, String[]::new))
        .set("retries", "text", column(drafts, Draft::retry, String[]::new))
        .set("timeouts", "int8", column(drafts, Draft::timeoutMillis, Long[]::new))
        .set("keys", "text", column(drafts, Draft::key, String[]::new))
        .set("costs", "int4", column(drafts, Draft::cost, Integer[]::new))
        .set("queues", "int4", queues(drafts));
    if (!areDue(drafts)) {
      call.set("expiries", "timestamptz", column(drafts, Columns::expiry, OffsetDateTime[]::new))
          .set("delays", "int8", column(drafts, d -> Times.delay(d.job().when()), Long[]::new))
          .set(
              "ats",
              "timestamptz",
              column(drafts, d -> Times.at(d.job().when()), OffsetDateTime[]::new));
    }
  }

  /** True when all are to run at once and none has an expiry of its own. */
  static boolean areDue(List<Draft> drafts) {
    return drafts.stream()
        .allMatch(d -> d.job().when() instanceof When.Now && d.job().spec().expiresAt() == null);
  }

  static Integer[] queues(List<Draft> drafts) {
    return drafts.stream().map(draft -> draft.queue().id()).distinct().toArray(Integer[]::new);
  }

  static @Nullable OffsetDateTime expiry(Draft draft) {
    return Times.offset(draft.job().spec().expiresAt());
  }

  private static <T extends @Nullable Object> T[] column(
      List<Draft> drafts, Function<Draft, T> field, Function<Integer, T[]> array) {
    T[] values = array.apply(drafts.size());
    for (int i = 0; i < values.length; i++) {
      values[i] = field.apply(drafts.get(i));
    }
    return values;
  }
}
