package io.sluice.crashtest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Worker processes that are killed and cut off by chance, each behind a proxy of its own. */
final class Workers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Server server;
  private final Path folder;
  private final Journal journal;
  private final List<String> settings;
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();
  private final Set<String> ready = new HashSet<>();
  private int faults;

  Workers(Server server, int count, Path folder, Journal journal, long seed, Duration lease) {
    this.server = server;
    this.folder = folder;
    this.journal = journal;
    this.settings =
        List.of(folder.toString(), Long.toString(seed), Long.toString(lease.toMillis()));
    for (int target = 0; target < count; target++) {
      proxies.add(Proxy.to(server.port()));
      children.add(launch(target));
    }
  }

  private Child launch(int target) {
    List<String> arguments = new ArrayList<>(settings);
    arguments.addFirst(proxies.get(target).url(server.url()));
    return Child.start("worker-" + target, WorkerProcess.class, folder, arguments);
  }

  /** Waits until all of them are ready for work. */
  void awaitReady() throws InterruptedException {
    if (!Clock.awaits(PATIENCE, () -> working().size() == children.size())) {
      throw new IllegalStateException("not all processes started: see the logs in " + folder);
    }
  }

  /** Those that are ready for work now. */
  private List<Integer> working() {
    return IntStream.range(0, children.size())
        .filter(target -> isReady(children.get(target)))
        .boxed()
        .toList();
  }

  private boolean isReady(Child child) {
    boolean said = ready.contains(child.who())
        || Journal.read(folder, child.who()).stream().anyMatch(e -> e instanceof Entry.Ready);
    if (said) {
      ready.add(child.who());
    }
    return said && child.isAlive();
  }

  /** Kills one that works and starts it again after a moment, if at least one other works. */
  void kill(RandomGenerator random) throws InterruptedException {
    List<Integer> working = working();
    if (working.size() < 2) {
      return;
    }
    int target = working.get(random.nextInt(working.size()));
    Child child = children.get(target);
    int fault = begin(FaultKind.KILL_WORKER, child);
    child.kill();
    Clock.rest(Duration.ofMillis(50 + random.nextInt(200)));
    children.set(target, launch(target));
    journal.write(new Entry.Over(Clock.now(), fault));
  }

  /** Cuts the connections of one. */
  void cut(RandomGenerator random) {
    int target = random.nextInt(children.size());
    int fault = begin(FaultKind.CUT, children.get(target));
    proxies.get(target).cut();
    journal.write(new Entry.Over(Clock.now(), fault));
  }

  /** Leads all of them to another server, and cuts them off from the one they had. */
  void lead(int port) {
    proxies.forEach(proxy -> {
      proxy.lead(port);
      proxy.cut();
    });
  }

  /** How they sign their histories. */
  List<String> names() {
    return children.stream().map(Child::who).toList();
  }

  private int begin(FaultKind kind, Child child) {
    faults++;
    journal.write(new Entry.Begin(Clock.now(), faults, kind, child.who()));
    return faults;
  }

  @Override
  public void close() {
    children.forEach(Child::kill);
    proxies.forEach(Proxy::close);
  }
}
