package io.sluice.crashtest;

import io.sluice.Defaults;
import io.sluice.LimitState;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.postgres.PostgresStore;
import java.util.List;
import java.util.Set;

/** The queues of a crash test that have a limit or an order; each is named like the type of its work. */
final class LimitedQueues {
  /** How many of the capped queue may run at once. */
  static final int AT_ONCE = 3;
  /** How many of the paced queue may start. */
  static final RateLimit RATE = new RateLimit(5, 2);

  /** More than ever come in: it has them counted, and nobody refused. */
  private static final long MOST = 1_000_000;

  private static final List<QueueSettings> ALL = List.of(
      QueueSettings.of(Work.CAPPED).withMaxConcurrent(AT_ONCE).withMaxSize(MOST),
      QueueSettings.of(Work.PACED).withRateLimit(RATE),
      QueueSettings.of(Work.STRICT).withOrdered(Ordering.QUEUE));

  private LimitedQueues() {}

  static Set<String> names() {
    return Set.of(Work.CAPPED, Work.PACED, Work.STRICT);
  }

  /** Makes them, before anybody works. */
  static Server in(Server server) {
    SluiceBuilder builder = Sluice.builder(PostgresStore.connect(server.url())).withoutWork();
    ALL.forEach(builder::queue);
    builder.queue(QueueSettings.of(Work.OLD));
    builder.build().start().close();
    return server;
  }

  /** Writes down what the store counts as running against each limit. */
  static void count(Server server, Journal journal) {
    try (PostgresStore store = PostgresStore.connect(server.url())) {
      for (QueueSettings queue : ALL) {
        store
            .limits()
            .state(Scope.queue(Defaults.TENANT, queue.name()))
            .map(LimitState::running)
            .ifPresent(
                running -> journal.write(new Entry.Counted(Clock.now(), queue.name(), running)));
      }
    }
  }
}
