package io.sluice.postgres;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.jspecify.annotations.Nullable;

/** How a pool of connections is used just now: lent, free, callers waiting, and how many it may hold. */
public record PoolUse(String name, int active, int idle, int waiting, int most) {
  public static PoolUse of(HikariDataSource pool) {
    @Nullable HikariPoolMXBean now = pool.getHikariPoolMXBean();
    return now == null
        ? new PoolUse(pool.getPoolName(), 0, 0, 0, pool.getMaximumPoolSize())
        : new PoolUse(
            pool.getPoolName(),
            now.getActiveConnections(),
            now.getIdleConnections(),
            now.getThreadsAwaitingConnection(),
            pool.getMaximumPoolSize());
  }
}
