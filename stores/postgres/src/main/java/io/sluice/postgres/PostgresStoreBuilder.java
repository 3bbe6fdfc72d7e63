package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link PostgresStore}: where the database is, and how to treat it. */
public final class PostgresStoreBuilder {
  @Nullable
  String url;

  @Nullable
  String user;

  @Nullable
  String password;

  @Nullable
  DataSource dataSource;

  @Nullable
  Connections lent;

  String schema = Sql.DEFAULT_SCHEMA;

  @Nullable
  InstantSource clock;

  boolean pooled;
  boolean notifyInTransaction = true;
  int connections = 10;
  int daysAhead = Shelves.DAYS_AHEAD;
  int fewStragglers = Purger.FEW_STRAGGLERS;
  Duration statementTimeout = Duration.ofSeconds(20);
  Duration searchTimeout = Searches.LONGEST;

  PostgresStoreBuilder() {}

  /** Where the database is, as a JDBC URL. */
  public PostgresStoreBuilder url(String value) {
    url = value;
    return this;
  }

  public PostgresStoreBuilder user(String value) {
    user = value;
    return this;
  }

  public PostgresStoreBuilder password(String value) {
    password = value;
    return this;
  }

  /** Takes connections from a pool that the caller owns, instead of from own ones. */
  public PostgresStoreBuilder dataSource(DataSource value) {
    dataSource = value;
    return this;
  }

  /** Takes connections that outlive the store and were opened for others before it, for tests. */
  PostgresStoreBuilder lent(Connections value) {
    lent = value;
    return this;
  }

  /** How many days have tables before they come, for tests, which need not wait for a week of them. */
  PostgresStoreBuilder daysAhead(int value) {
    daysAhead = value;
    return this;
  }

  /** Up to how many bodies of a day are moved as soon as it is old. For tests, which need few. */
  PostgresStoreBuilder fewStragglers(int value) {
    fewStragglers = value;
    return this;
  }

  /** The schema that holds the tables; {@code sluice} unless told. */
  public PostgresStoreBuilder schema(String value) {
    schema = value;
    return this;
  }

  /** A clock that stands in for the database's, for tests. */
  public PostgresStoreBuilder clock(InstantSource value) {
    clock = value;
    return this;
  }

  /**
   * Says that a proxy stands in between that gives each transaction another connection: nothing is
   * then left in a session, and other processes' wake-ups are not listened for. A pool of the caller's
   * must itself be set to {@code prepareThreshold=0}.
   */
  public PostgresStoreBuilder pooled(boolean value) {
    pooled = value;
    return this;
  }

  /** How many connections the store's own pool may hold. */
  public PostgresStoreBuilder connections(int value) {
    if (value < 1) {
      throw new SluiceException(ErrorCode.BAD_CONFIGURATION, "connections must be 1 or more");
    }
    connections = value;
    return this;
  }

  /** How long one statement may take. */
  public PostgresStoreBuilder statementTimeout(Duration value) {
    statementTimeout = atLeastOneMilli("statementTimeout", value);
    return this;
  }

  /**
   * How long a list by text, metadata or time may search before it is refused; 3 s unless set. Never longer than
   * {@link #statementTimeout}.
   */
  public PostgresStoreBuilder searchTimeout(Duration value) {
    searchTimeout = atLeastOneMilli("searchTimeout", value);
    return this;
  }

  private static Duration atLeastOneMilli(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new SluiceException(ErrorCode.BAD_CONFIGURATION, name + " must be 1 ms or more");
    }
    return value;
  }

  /** Whether an insert into the caller's transaction wakes workers when that commits. */
  public PostgresStoreBuilder notifyInTransaction(boolean value) {
    notifyInTransaction = value;
    return this;
  }

  public PostgresStore build() {
    if ((url == null) == (dataSource == null)) {
      throw new SluiceException(ErrorCode.BAD_CONFIGURATION, "give either a url or a dataSource");
    }
    if (url != null && !url.startsWith("jdbc:postgresql:")) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "url must begin with jdbc:postgresql://");
    }
    return new PostgresStore(this);
  }
}
