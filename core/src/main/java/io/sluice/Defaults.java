package io.sluice;

import java.time.Duration;
import java.util.Map;

/** The values in force where nobody chose another: all of them, in this one place. */
public final class Defaults {
  public static final String TENANT = "default";
  public static final String QUEUE = "default";

  public static final Duration LEASE = Duration.ofSeconds(30);
  public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
  public static final Duration POLL = Duration.ofSeconds(1);
  public static final int SLOTS = 10;
  public static final Duration TIMEOUT = Duration.ofSeconds(30);
  public static final Duration DRAIN = Duration.ofSeconds(30);

  public static final RetryPolicy RETRY = new RetryPolicy(
      5,
      RetryStrategy.EXPONENTIAL,
      Duration.ofSeconds(1),
      2,
      Duration.ofSeconds(60),
      0.1,
      Map.of());

  /** A job that was alone with its worker when that died, this often, is dead. */
  public static final int STRIKES = 3;

  public static final Duration KEEP_COMPLETED = Duration.ofHours(24);
  public static final Duration KEEP_DEAD = Duration.ofDays(7);

  public static final double WARNING_LEVEL = 0.5;
  public static final double HIGH_LEVEL = 0.9;

  /** When to come back to a queue that is full, where nobody knows how fast it gets empty. */
  public static final Duration RETRY_WHEN_FULL = Duration.ofSeconds(10);

  public static final Duration LONGEST_RETRY_WHEN_FULL = Duration.ofMinutes(5);

  public static final int MAX_PAYLOAD_BYTES = 1 << 20;
  /** The most that a payload may have where its producer asks for more. */
  public static final int MAX_ENVELOPE_BYTES = 8 << 20;

  public static final int MAX_JSON_DEPTH = 200;
  public static final int MAX_BATCH_JOBS = 10_000;

  /** How many others a job may wait for. */
  public static final int MAX_AFTER = 10_000;

  /** How many others the jobs of one call may wait for, added up. */
  public static final int MAX_LINKS = 100_000;

  /** How many nodes of a graph are shown. */
  public static final int LARGEST_GRAPH = 1_000;

  public static final long MAX_BATCH_BYTES = 32L << 20;
  public static final int MAX_TEXT = 512;
  public static final int MAX_ERRORS = 20;
  public static final int MAX_ERROR_TEXT = 4_000;
  /** How much is kept of what another system answered. */
  public static final int MAX_ANSWER = 16 << 10;

  /** How much those may leave, added up, that one job waits for. */
  public static final long MAX_RESULTS_BYTES = 8L << 20;

  public static final int MAX_LOG_LINES = 200;

  public static final Duration LONGEST_REMOTE_LEASE = Duration.ofHours(12);
  public static final Duration LONGEST_REMOTE_WAIT = Duration.ofSeconds(60);
  public static final int LARGEST_REMOTE_CLAIM = 100;
  /** How much one claim brings, payloads and results of predecessors added up, unless its first job has more. */
  public static final long MAX_CLAIM_BYTES = 8L << 20;

  /** How many queues, URL groups, keys, schedules and triggers a tenant of a server may have, each. */
  public static final long QUOTA_OF_NAMED = 1_000;

  public static final long QUOTA_OF_LIMITS = 10_000;
  public static final long QUOTA_OF_LANES = 100_000;

  public static final int PAGE = 50;
  public static final int LARGEST_PAGE = 250;
  /** A page of jobs ends early rather than have more bytes. */
  public static final long MAX_PAGE_BYTES = 4L << 20;

  public static final double BREAKER_THRESHOLD = 0.5;
  public static final Duration BREAKER_WINDOW = Duration.ofSeconds(60);
  public static final int BREAKER_MINIMUM_CALLS = 10;
  public static final Duration BREAKER_TRIP = Duration.ofSeconds(30);
  public static final int BREAKER_PROBES = 1;

  public static final Duration STATS_LOG = Duration.ofMinutes(5);

  private Defaults() {}
}
