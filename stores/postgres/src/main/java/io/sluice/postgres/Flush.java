package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.LockTimeout;
import io.sluice.store.NewJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Writes jobs of many callers in one transaction and answers each of them. */
final class Flush {
  /** A job whose caller waits for the answer. */
  record Waiting(NewJob job, CompletableFuture<Answer> answer) {
    Waiting(NewJob job) {
      this(job, new CompletableFuture<>());
    }

    void fail(Throwable why) {
      answer.completeExceptionally(why);
    }
  }

  private final Inserter inserter;
  private final Duration lockWait;
  private final Consumer<List<Answer>> onInserted;
  private final Consumer<List<Waiting>> locked;

  /**
   * A flush that waits this long at most for somebody else's transaction, and then hands on the jobs of which one
   * still has to wait.
   */
  Flush(
      Inserter inserter,
      Duration lockWait,
      Consumer<List<Answer>> onInserted,
      Consumer<List<Waiting>> locked) {
    this.inserter = inserter;
    this.lockWait = lockWait;
    this.onInserted = onInserted;
    this.locked = locked;
  }

  /** Writes a batch; one that is refused for what is in it is cut in two until the bad one is alone. */
  void write(List<Waiting> batch) {
    if (batch.isEmpty()) {
      return;
    }
    try {
      List<Answer> answers = inserter.each(batch.stream().map(Waiting::job).toList(), lockWait);
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(answers.get(i));
      }
      onInserted.accept(answers);
    } catch (SQLException e) {
      if (Failures.isLockTimeout(e)) {
        locked.accept(batch);
      } else if (batch.size() > 1 && Failures.isData(e)) {
        halves(batch);
      } else {
        fail(batch, Failures.of(e));
      }
    } catch (LockTimeout e) {
      locked.accept(batch);
    } catch (SluiceException e) {
      if (batch.size() > 1 && e.code() != ErrorCode.PERSISTENCE_FAILURE) {
        halves(batch);
      } else {
        fail(batch, e);
      }
    } catch (RuntimeException | Error e) {
      fail(batch, e);
    }
  }

  private void halves(List<Waiting> batch) {
    int middle = batch.size() / 2;
    write(batch.subList(0, middle));
    write(batch.subList(middle, batch.size()));
  }

  static void fail(List<Waiting> batch, Throwable why) {
    batch.forEach(waiting -> waiting.fail(why));
  }
}
