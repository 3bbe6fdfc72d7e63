package io.sluice.http;

import io.sluice.http.KnownNames.Asked;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the addresses of names, each caller with a time limit of its own. A look-up is a native call
 * that nobody can interrupt, so it is left to platform threads and goes on when its caller has given
 * up. Therefore tenants have shares of the threads, and a name that nobody answers for is refused to
 * its tenant for a while. One look-up serves all callers of a tenant that ask for the same name.
 */
final class Lookup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lookup.class);
  /** The threads do nothing but wait for name servers. */
  static final int THREADS = 64;
  /** A tenant whose name servers are silent leaves three quarters to the others. */
  static final int SHARE = THREADS / 4;

  static final int OWN = 4;
  private static final int WAITING = 1024;
  /** A look-up of this length without an answer is a sign of a silent name server. */
  private static final long LONG = Duration.ofSeconds(2).toNanos();

  private static final class UnderWay {
    final Asked asked;
    final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    int callers;
    boolean started;
    long startedAt;

    UnderWay(Asked asked) {
      this.asked = asked;
    }
  }

  private final Resolver resolver;
  private final LongSupplier nanoTime;
  private final ExecutorService threads;
  private final LookupLine<UnderWay> line =
      new LookupLine<>(new LookupLine.Bounds(THREADS, SHARE, OWN, WAITING));
  private final KnownNames known;
  private final Map<Asked, UnderWay> underWay = new HashMap<>();

  Lookup(Resolver resolver, LongSupplier nanoTime) {
    this.resolver = resolver;
    this.nanoTime = nanoTime;
    this.known = new KnownNames(nanoTime);
    // As many threads as the line lets start; one that ends may overlap with the next for a moment.
    this.threads = Executors.newCachedThreadPool(
        Thread.ofPlatform().daemon().name("sluice-dns-", 0).factory());
  }

  /**
   * @param tenant who asks; empty for the server itself
   * @throws TimeoutException when there is no answer in time, or was none a moment ago
   */
  List<InetAddress> find(String tenant, String host, Duration within)
      throws UnknownHostException, TimeoutException, InterruptedException {
    Asked asked = new Asked(tenant, host);
    UnderWay lookup;
    synchronized (this) {
      Optional<List<InetAddress>> addresses = known.addresses(host);
      if (addresses.isPresent()) {
        return addresses.get();
      }
      if (known.isSilent(asked)) {
        throw new TimeoutException("nobody answered for this name a moment ago");
      }
      lookup = join(asked);
      lookup.callers++;
      startNext();
    }
    try {
      return lookup.answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new UnknownHostException(host);
    } finally {
      leave(lookup);
    }
  }

  private UnderWay join(Asked asked) throws UnknownHostException {
    UnderWay same = underWay.get(asked);
    if (same != null) {
      return same;
    }
    UnderWay lookup = new UnderWay(asked);
    if (!line.add(asked.tenant(), lookup)) {
      throw new UnknownHostException("too many names are being looked up for this tenant");
    }
    underWay.put(asked, lookup);
    return lookup;
  }

  private void startNext() {
    for (UnderWay lookup : line.start()) {
      lookup.started = true;
      lookup.startedAt = nanoTime.getAsLong();
      threads.execute(() -> resolve(lookup));
    }
  }

  private void resolve(UnderWay lookup) {
    List<InetAddress> addresses = List.of();
    try {
      addresses = List.of(resolver.resolve(lookup.asked.host()));
    } catch (UnknownHostException e) {
      LOG.debug("a name was not found: {}", e.toString());
    } finally {
      end(lookup, addresses);
    }
  }

  private synchronized void end(UnderWay lookup, List<InetAddress> addresses) {
    underWay.remove(lookup.asked);
    line.ended(lookup.asked.tenant());
    if (addresses.isEmpty()) {
      noteSilence(lookup);
      lookup.answer.completeExceptionally(new UnknownHostException(lookup.asked.host()));
    } else {
      known.found(lookup.asked, addresses);
      lookup.answer.complete(addresses);
    }
    if (!threads.isShutdown()) {
      startNext();
    }
  }

  /** A look-up that nobody waits for any more does not start; one that runs counts until it ends. */
  private synchronized void leave(UnderWay lookup) {
    lookup.callers--;
    if (lookup.answer.isDone()) {
      return;
    }
    if (lookup.started) {
      noteSilence(lookup);
    } else if (lookup.callers == 0) {
      underWay.remove(lookup.asked);
      line.remove(lookup.asked.tenant(), lookup);
    }
  }

  private void noteSilence(UnderWay lookup) {
    if (nanoTime.getAsLong() - lookup.startedAt >= LONG) {
      known.silent(lookup.asked);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
