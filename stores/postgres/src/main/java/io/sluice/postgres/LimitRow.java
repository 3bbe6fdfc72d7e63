package io.sluice.postgres;

import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A limit, an order or both, with the number of the row by which it is held. */
record LimitRow(int id, Scope scope, @Nullable Limit limit, Ordering ordered) {
  static LimitRow read(ResultSet row) throws SQLException {
    Scope scope = new Scope(
        Scope.Kind.valueOf(row.getString("kind")), row.getString("tenant"), row.getString("name"));
    RateLimit rate = rate(row);
    Integer concurrency = row.getObject("concurrency", Integer.class);
    Limit limit = rate == null && concurrency == null ? null : new Limit(scope, rate, concurrency);
    return new LimitRow(row.getInt("id"), scope, limit, Ordering.valueOf(row.getString("ordered")));
  }

  static @Nullable RateLimit rate(ResultSet row) throws SQLException {
    Double amount = row.getObject("rate_amount", Double.class);
    return amount == null
        ? null
        : new RateLimit(amount, Per.valueOf(row.getString("rate_per")), row.getInt("rate_burst"));
  }

  static Call write(Call call, @Nullable RateLimit rate) throws SQLException {
    return call.setOrNull("rate", rate == null ? null : (Double) rate.amount())
        .set("per", rate == null ? null : rate.per().name())
        .setOrNull("burst", rate == null ? null : (Integer) rate.burst());
  }
}
