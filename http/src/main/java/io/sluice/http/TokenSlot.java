package io.sluice.http;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The token of one group and credential. However many want it, one call asks for it and all wait for
 * that; after a failure nobody asks again for a while, which grows from failure to failure, and then one
 * does. The call has a thread of its own, so that it outlives whoever wanted it first.
 */
final class TokenSlot {
  /** A token is given up so long before its end, or a tenth of its life where that is less. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  /** A receiver that refuses whatever it gets makes for one call in so long. */
  private static final Duration RELUCTANCE = Duration.ofSeconds(10);

  /** What slots share. */
  record Tools(LongSupplier nanoTime, RandomGenerator random, Executor threads) {}

  private final Auth.OAuth2 auth;
  private final TokenCall call;
  private final Tools tools;
  private @Nullable Token token;
  private @Nullable CompletableFuture<Token> flight;
  private @Nullable AttemptFailure lastFailure;
  private int failures;
  private long pausedUntil;

  TokenSlot(Auth.OAuth2 auth, TokenCall call, Tools tools) {
    this.auth = auth;
    this.call = call;
    this.tools = tools;
  }

  boolean isFor(Auth.OAuth2 other) {
    return auth.equals(other);
  }

  /** True where nothing would be lost with this. */
  synchronized boolean isEmpty() {
    long now = tools.nanoTime.getAsLong();
    return flight == null
        && (token == null || !token.isFresh(now))
        && (lastFailure == null || now - pausedUntil >= 0);
  }

  /** The token that is good now. */
  Token current(Duration within) throws AttemptFailure, InterruptedException {
    CompletableFuture<Token> coming;
    synchronized (this) {
      Token known = token;
      if (known != null && known.isFresh(tools.nanoTime.getAsLong())) {
        return known;
      }
      coming = coming(false);
    }
    return await(coming, within);
  }

  /** A token in place of one that a receiver refused; none where another would hardly do better. */
  Optional<Token> instead(String refused, Duration within)
      throws AttemptFailure, InterruptedException {
    CompletableFuture<Token> coming;
    synchronized (this) {
      long now = tools.nanoTime.getAsLong();
      Token known = token;
      if (known != null && !known.text().equals(refused) && known.isFresh(now)) {
        return Optional.of(known);
      }
      if (known != null && known.replacing() && now - known.born() < RELUCTANCE.toNanos()) {
        return Optional.empty();
      }
      token = null;
      coming = coming(true);
    }
    return Optional.of(await(coming, within));
  }

  /** The call that is under way, or a new one unless it is too soon for that. Under the lock. */
  private CompletableFuture<Token> coming(boolean replacing) throws AttemptFailure {
    if (flight != null) {
      return flight;
    }
    if (lastFailure != null && tools.nanoTime.getAsLong() - pausedUntil < 0) {
      throw lastFailure;
    }
    CompletableFuture<Token> next = new CompletableFuture<>();
    try {
      tools.threads.execute(() -> fly(next, replacing));
    } catch (RejectedExecutionException closed) {
      throw failed("no token is asked for any more: this instance stops");
    }
    flight = next;
    return next;
  }

  private void fly(CompletableFuture<Token> next, boolean replacing) {
    try {
      next.complete(arrived(call.ask(), replacing));
    } catch (AttemptFailure e) {
      crash(next, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      crash(next, failed("the token endpoint was not heard out: this instance stops"));
    } catch (RuntimeException e) {
      crash(
          next, failed("the token endpoint could not be asked: " + e.getClass().getSimpleName()));
    }
  }

  private static AttemptFailure failed(String message) {
    return new AttemptFailure(ErrorClass.NETWORK, "TOKEN_FAILED", message);
  }

  private synchronized Token arrived(TokenCall.Granted granted, boolean replacing) {
    flight = null;
    return land(granted, replacing);
  }

  /** Keeps a token that came. */
  synchronized Token land(TokenCall.Granted granted, boolean replacing) {
    long now = tools.nanoTime.getAsLong();
    Duration tenth = granted.lifetime().dividedBy(10);
    Duration good = granted.lifetime().minus(tenth.compareTo(MARGIN) < 0 ? tenth : MARGIN);
    Token landed = new Token(granted.token(), now, now + good.toNanos(), replacing);
    token = landed;
    lastFailure = null;
    failures = 0;
    return landed;
  }

  private void crash(CompletableFuture<Token> next, AttemptFailure failure) {
    synchronized (this) {
      flight = null;
      lastFailure = failure;
      failures++;
      pausedUntil = tools.nanoTime.getAsLong() + pause();
    }
    next.completeExceptionally(failure);
  }

  /** Longer each time, and never quite as long for two instances. */
  private long pause() {
    long longest = LONGEST_PAUSE.toNanos();
    long grown = Math.min(longest, FIRST_PAUSE.toNanos() << Math.min(failures - 1, 10));
    return (long) (grown * (0.75 + tools.random.nextDouble() / 2));
  }

  private Token await(CompletableFuture<Token> coming, Duration within)
      throws AttemptFailure, InterruptedException {
    try {
      return coming.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw failed(
          "the token endpoint did not answer in time: " + auth.tokenUrl().split("\\?", 2)[0]);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AttemptFailure failure
          ? failure
          : failed("the token endpoint could not be asked");
    }
  }
}
