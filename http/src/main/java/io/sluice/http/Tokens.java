package io.sluice.http;

import io.sluice.AttemptFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The tokens of groups whose auth is {@link Auth.OAuth2}: kept until shortly before they end, each for
 * its group and credential. A group whose auth changes loses its token.
 */
public final class Tokens implements AutoCloseable {
  private static final int MOST = 10_000;

  private record Key(String tenant, String group) {}

  /** What came of asking an endpoint: how long its token is good for, and how long it took to answer. */
  public record Trial(Duration lifetime, Duration took) {}

  private final GuardedClient client;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sluice-token").factory());
  private final TokenSlot.Tools tools;
  private final ConcurrentMap<Key, TokenSlot> slots = new ConcurrentHashMap<>();

  public Tokens(GuardedClient client, LongSupplier nanoTime, RandomGenerator random) {
    this.client = client;
    this.tools = new TokenSlot.Tools(nanoTime, random, threads);
  }

  /** The group as requests are made out for it: with its token, where it needs one. */
  Group ready(String tenant, Group group, Duration within)
      throws AttemptFailure, InterruptedException {
    if (!(group.auth() instanceof Auth.OAuth2 auth)) {
      return group;
    }
    Token token = slot(tenant, group.name(), auth).current(within);
    return group.withAuth(new Auth.Bearer(token.text()));
  }

  /** The group with another token than the one that a receiver refused, if there is a point in that. */
  Optional<Group> instead(String tenant, Group group, Group refused, Duration within)
      throws AttemptFailure, InterruptedException {
    if (!(group.auth() instanceof Auth.OAuth2 auth)
        || !(refused.auth() instanceof Auth.Bearer bearer)) {
      return Optional.empty();
    }
    return slot(tenant, group.name(), auth)
        .instead(bearer.token(), within)
        .map(token -> group.withAuth(new Auth.Bearer(token.text())));
  }

  /**
   * Asks the endpoint now, whatever is kept and however it failed before; what it gives is kept.
   *
   * @throws AttemptFailure saying why there is no token
   */
  public Trial trial(String tenant, String group, Auth.OAuth2 auth)
      throws AttemptFailure, InterruptedException {
    long begun = tools.nanoTime().getAsLong();
    TokenCall.Granted granted = new TokenCall(client, tenant, group, auth).ask();
    Duration took = Duration.ofNanos(tools.nanoTime().getAsLong() - begun);
    slot(tenant, group, auth).land(granted, false);
    return new Trial(granted.lifetime(), took);
  }

  private TokenSlot slot(String tenant, String group, Auth.OAuth2 auth) {
    if (slots.size() > MOST) {
      slots.values().removeIf(TokenSlot::isEmpty);
    }
    return slots.compute(
        new Key(tenant, group),
        (key, known) -> known != null && known.isFor(auth)
            ? known
            : new TokenSlot(auth, new TokenCall(client, tenant, group, auth), tools));
  }

  /** Breaks off what is under way; nothing is asked for any more. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
