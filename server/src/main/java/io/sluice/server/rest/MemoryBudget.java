package io.sluice.server.rest;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Deals a share of the heap to the uploads and answers that are in flight. A tenant gets at most half of what the
 * others leave, so that something is left for those who come next; beyond that a request is OVERLOADED. The first
 * 64 KiB of each request come from a share of their own: small requests get in while large ones do not.
 */
public final class MemoryBudget {
  /** What a request takes from the share for small ones. */
  static final long SMALL = 64L << 10;

  /** Bodies above this size are worked on a few at a time. */
  private static final long LARGE = 256L << 10;

  /** What it takes to read a body, check it and send it to the store, as a multiple of its size. */
  private static final int WORK = 4;

  private static final int KIB = 1 << 10;
  private static final Duration MOST_WAIT = Duration.ofSeconds(10);

  private final Pool small;
  private final Pool large;
  private final int workKib;
  private final Semaphore work;

  MemoryBudget(long capacity) {
    this.large = new Pool(capacity);
    this.small = new Pool(Math.max(capacity / 4, 2 * SMALL));
    this.workKib = (int) Math.min(Integer.MAX_VALUE, capacity / KIB);
    this.work = new Semaphore(workKib, true);
  }

  /** A quarter of the heap, and at least what lets one tenant send the largest batch. */
  public static MemoryBudget ofHeap() {
    return new MemoryBudget(
        Math.max(Runtime.getRuntime().maxMemory() / 4, 2 * Defaults.MAX_BATCH_BYTES));
  }

  /** What one request holds, from its first byte to the last one of its answer. */
  Hold open() {
    return new Hold();
  }

  /** What all requests hold. */
  long held() {
    return small.held() + large.held();
  }

  /** A part of the budget and who holds what of it. */
  private static final class Pool {
    private final long capacity;
    private final Map<String, Long> byTenant = new HashMap<>();
    private long held;

    Pool(long capacity) {
      this.capacity = capacity;
    }

    synchronized long held() {
      return held;
    }

    synchronized boolean take(String tenant, long bytes) {
      long own = byTenant.getOrDefault(tenant, 0L);
      if (bytes > 0 && own + bytes > (capacity - (held - own)) / 2) {
        return false;
      }
      change(tenant, bytes);
      return true;
    }

    synchronized void release(String tenant, long bytes) {
      change(tenant, -bytes);
    }

    private void change(String tenant, long bytes) {
      held += bytes;
      byTenant.merge(tenant, bytes, (was, more) -> was + more == 0 ? null : was + more);
    }
  }

  /** The bytes of one request. Nothing is held before its tenant is known. */
  final class Hold implements AutoCloseable {
    private String tenant = "";
    private boolean counted;
    private long body;
    private long answer;
    private int workHeld;

    /** Names the tenant whose share the request takes from; without, it holds nothing. */
    void of(String name) {
      tenant = name;
      counted = true;
    }

    /** Makes room for a body of this size, before it is read. */
    void body(long bytes) {
      resize(bytes, Math.max(answer, 0));
      body = bytes;
    }

    /** Makes room for an answer of this size; less than before is kept as it was. */
    void answer(long bytes) {
      if (bytes > answer) {
        resize(body, bytes);
        answer = bytes;
      }
    }

    private void resize(long newBody, long newAnswer) {
      if (!counted) {
        return;
      }
      long before = body + answer;
      long after = newBody + newAnswer;
      long less = Math.min(before, SMALL);
      long smallPart = Math.min(after, SMALL) - less;
      long largePart = (after - Math.min(after, SMALL)) - (before - less);
      if (!small.take(tenant, smallPart)) {
        throw overloaded(after);
      }
      if (!large.take(tenant, largePart)) {
        small.release(tenant, smallPart);
        throw overloaded(after);
      }
    }

    /** Waits until there is memory to work on the body that was read. */
    void work() {
      if (body <= LARGE) {
        return;
      }
      int wanted = (int) Math.min(workKib, WORK * body / KIB);
      try {
        if (!work.tryAcquire(wanted, MOST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
          throw overloaded(body);
        }
        workHeld = wanted;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "the server stops", e);
      }
    }

    /** Lets others work, once the endpoint has answered. */
    void worked() {
      work.release(workHeld);
      workHeld = 0;
    }

    @Override
    public void close() {
      worked();
      if (counted) {
        long all = body + answer;
        small.release(tenant, Math.min(all, SMALL));
        large.release(tenant, all - Math.min(all, SMALL));
        body = 0;
        answer = 0;
      }
    }
  }

  private static SluiceException overloaded(long bytes) {
    return new SluiceException(
        ErrorCode.OVERLOADED,
        "the server has no memory for " + bytes
            + " bytes now: send the request again later, with fewer" + " others at a time");
  }
}
