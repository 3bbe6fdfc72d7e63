package io.sluice.crashtest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers and the producer of a run, each behind a proxy of its own. Everybody is ready for work
 * before the time of the run begins, however long a busy machine takes to start them.
 */
final class Crew implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration SOON = Duration.ofMillis(1_500);
  private static final Duration SKEW = Duration.ofMinutes(10);

  private final Server server;
  private final Size size;
  private final long seed;
  private final Path folder;
  /** The moment from which the producer's pace is counted. */
  private final long pace;

  private final long begin;
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();

  Crew(Server server, Size size, long seed, Path folder) throws InterruptedException {
    this.server = server;
    this.size = size;
    this.seed = seed;
    this.folder = folder;
    for (int target = Schedule.PRODUCER; target < size.workers(); target++) {
      proxies.add(Proxy.to(server.port()));
    }
    for (int target = 0; target < size.workers(); target++) {
      children.add(launch(target, 0));
    }
    awaitReady();
    pace = Clock.now();
    children.addFirst(launch(Schedule.PRODUCER, pace));
    awaitReady();
    begin = Clock.now();
  }

  private void awaitReady() throws InterruptedException {
    boolean ready = Clock.awaits(PATIENCE, () -> {
      long signs = Journal.read(folder, "").stream()
          .filter(entry -> entry instanceof Entry.Ready)
          .count();
      return signs >= children.size();
    });
    if (!ready) {
      close();
      throw new IllegalStateException("not all processes started: see the logs in " + folder);
    }
  }

  /** The moment from which the times of faults are counted: jobs come in. */
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
    children.set(target - Schedule.PRODUCER, launch(target, pace));
  }

  /** Those of the workers. */
  List<Proxy> workerProxies() {
    return List.copyOf(proxies.subList(1, proxies.size()));
  }

  /** Those of the workers and of the producer. */
  List<Proxy> proxies() {
    return List.copyOf(proxies);
  }

  /** The moment at which the producer enqueues its next heap of jobs. */
  long nextHeap() {
    long each = ProducerProcess.HEAP * size.intervalNanos();
    return pace + ((Clock.now() - pace) / each + 1) * each;
  }

  /** A job that the producer enqueues within the next moments. */
  Work workThatIsNext() {
    long seq = (Clock.now() - pace + SOON.toNanos()) / size.intervalNanos();
    return Work.of(seed, Math.min(seq, size.jobs() - 1L), size.lease());
  }

  boolean producerHasFinished() {
    return child(Schedule.PRODUCER).hasFinished();
  }

  synchronized long alive() {
    return children.stream().filter(Child::isAlive).count();
  }

  private Child launch(int target, long start) {
    List<String> arguments = new ArrayList<>(List.of(
        proxy(target).url(server.url()),
        folder.toString(),
        Long.toString(seed),
        Long.toString(size.lease().toMillis())));
    if (target != Schedule.PRODUCER) {
      arguments.add(Long.toString(skew(target).toMillis()));
      return Child.start("worker-" + target, WorkerProcess.class, folder, arguments);
    }
    arguments.addAll(List.of(
        Integer.toString(size.jobs()), Long.toString(start), Long.toString(size.intervalNanos())));
    return Child.start(ProducerProcess.ROLE, ProducerProcess.class, folder, arguments);
  }

  /** How fast a worker's clock is: one is ahead, one is behind, one is right. */
  private Duration skew(int target) {
    return size.has(Condition.WRONG_CLOCKS)
        ? SKEW.multipliedBy(List.of(1, -1, 0).get(target % 3))
        : Duration.ZERO;
  }

  @Override
  public synchronized void close() {
    children.forEach(Child::kill);
    proxies.forEach(Proxy::close);
  }
}
