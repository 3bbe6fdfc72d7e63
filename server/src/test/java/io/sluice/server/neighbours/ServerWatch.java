package io.sluice.server.neighbours;

import io.sluice.server.Client;
import io.sluice.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the memory of a server every second, from outside and by its own metrics. */
final class ServerWatch implements AutoCloseable {
  private static final double MIB = 1 << 20;
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
  private static final Pattern HEAP =
      Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\".*} (\\S+)$");

  /**
   * The memory at a moment, in MiB.
   *
   * @param at by {@link System#nanoTime}
   * @param resident NaN where the system does not tell
   * @param heap used, with what is garbage; NaN when the server did not answer
   */
  record MemorySample(long at, String phase, double resident, double heap) {}

  private final List<MemorySample> samples = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "server-watch");
  private final ServerProcess server;
  private final Client admin;
  private volatile String phase = "";

  ServerWatch(ServerProcess server, Client admin) {
    this.server = server;
    this.admin = admin;
    thread.start();
  }

  /** What the next samples belong to. */
  void phase(String name) {
    phase = name;
  }

  private void watch() {
    try {
      do {
        if (server.isAlive()) {
          samples.add(new MemorySample(System.nanoTime(), phase, resident(), heap()));
        }
      } while (!closed.await(1, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private double resident() {
    try {
      Path status = Path.of("/proc", String.valueOf(server.pid()), "status");
      Matcher line = RESIDENT.matcher(Files.readString(status));
      return line.find() ? Double.parseDouble(line.group(1)) / 1024 : Double.NaN;
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  private double heap() {
    try {
      Client.Reply metrics = admin.get("/metrics");
      return metrics.status() == 200
          ? HEAP.matcher(metrics.raw().body())
                  .results()
                  .mapToDouble(line -> Double.parseDouble(line.group(1)))
                  .sum()
              / MIB
          : Double.NaN;
    } catch (UncheckedIOException | IllegalStateException e) {
      return Double.NaN;
    }
  }

  List<MemorySample> samples() {
    return samples;
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
