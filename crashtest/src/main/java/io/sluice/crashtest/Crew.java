package io.sluice.crashtest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The workers and the producer of a run, each behind a proxy of its own. */
final class Crew implements AutoCloseable {
  private final Server server;
  private final Size size;
  private final long seed;
  private final Path folder;
  private final long begin = Clock.now();
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();

  Crew(Server server, Size size, long seed, Path folder) {
    this.server = server;
    this.size = size;
    this.seed = seed;
    this.folder = folder;
    for (int target = Schedule.PRODUCER; target < size.workers(); target++) {
      proxies.add(Proxy.to(server.port()));
      children.add(launch(target));
    }
  }

  /** The moment from which the producer's pace is counted. */
  long begin() {
    return begin;
  }

  Proxy proxy(int target) {
    return proxies.get(target - Schedule.PRODUCER);
  }

  synchronized Child child(int target) {
    return children.get(target - Schedule.PRODUCER);
  }

  synchronized void replace(int target) {
    children.set(target - Schedule.PRODUCER, launch(target));
  }

  boolean producerHasFinished() {
    return child(Schedule.PRODUCER).hasFinished();
  }

  synchronized long alive() {
    return children.stream().filter(Child::isAlive).count();
  }

  private Child launch(int target) {
    List<String> arguments = new ArrayList<>(List.of(
        proxy(target).url(server.url()),
        folder.toString(),
        Long.toString(seed),
        Long.toString(size.lease().toMillis())));
    if (target != Schedule.PRODUCER) {
      return Child.start("worker-" + target, WorkerProcess.class, folder, arguments);
    }
    arguments.addAll(List.of(
        Integer.toString(size.jobs()), Long.toString(begin), Long.toString(size.intervalNanos())));
    return Child.start(ProducerProcess.ROLE, ProducerProcess.class, folder, arguments);
  }

  @Override
  public synchronized void close() {
    children.forEach(Child::kill);
    proxies.forEach(Proxy::close);
  }
}
