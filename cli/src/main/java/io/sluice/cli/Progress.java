package io.sluice.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far something long has got: a bar on a terminal, and nothing elsewhere. */
final class Progress implements AutoCloseable {
  private static final int BAR = 30;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String ERASE = "\r\033[K";

  private final Console console;
  private final long total;
  private boolean shown;

  /** A total of 0 is not known: then there is a count without a bar. */
  Progress(Console console, long total) {
    this.console = console;
    this.total = total;
  }

  void at(long done, String words) {
    if (!console.screen().shows()) {
      return;
    }
    shown = true;
    console.err().print(ERASE + (total == 0 ? "" : bar(done)) + words);
    console.err().flush();
  }

  private String bar(long done) {
    int filled = (int) Math.max(0, Math.min(BAR, done * BAR / total));
    return "[" + "#".repeat(filled) + ".".repeat(BAR - filled) + "] ";
  }

  @Override
  public void close() {
    if (shown) {
      console.err().print(ERASE);
      console.err().flush();
    }
  }

  /** Does something of which {@code left} tells how much is left of the total, and shows that. */
  static <T> T during(
      Console console, String what, long total, LongSupplier left, Supplier<T> work) {
    if (!console.screen().shows()) {
      return work.get();
    }
    Executor thread = task -> Thread.ofVirtual().start(task);
    CompletableFuture<T> working = CompletableFuture.supplyAsync(work, thread);
    try (Progress progress = new Progress(console, total)) {
      while (!working.isDone() && console.pace().pause(LOOK) && !working.isDone()) {
        long done = Math.max(0, total - left.getAsLong());
        progress.at(done, "%,d of %,d %s".formatted(done, total, what));
      }
      return working.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException failure ? failure : e;
    }
  }
}
