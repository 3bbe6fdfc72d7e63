package io.sluice.server.health;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A look at something that costs, shared by all who want it within a moment: however often it is asked
 * for, one look at a time is under way, and nobody waits for it longer than they say.
 */
public final class Recent<T> {
  private final Supplier<T> look;
  private final Duration keep;
  private final LongSupplier nanoTime;

  private @Nullable CompletableFuture<T> last;
  private long began;

  public Recent(Supplier<T> look, Duration keep, LongSupplier nanoTime) {
    this.look = look;
    this.keep = keep;
    this.nanoTime = nanoTime;
  }

  /** What was seen; nothing when the look failed or does not end within the patience. */
  public Optional<T> within(Duration patience) {
    try {
      return Optional.of(newest().get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private synchronized CompletableFuture<T> newest() {
    long now = nanoTime.getAsLong();
    boolean fresh = last != null && (!last.isDone() || now - began < keep.toNanos());
    if (last == null || !fresh) {
      began = now;
      last = CompletableFuture.supplyAsync(look, task -> Thread.ofVirtual().start(task));
    }
    return last;
  }
}
