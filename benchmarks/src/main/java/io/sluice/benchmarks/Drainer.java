package io.sluice.benchmarks;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.postgres.PostgresStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process that drains plain jobs when it is told to. It runs with other builds of Sluice on its class
 * path, so it calls nothing that is not long there. For each line on its input, a schema and a number of
 * jobs, it fills the schema, says so, waits for another line, and says how many jobs a second it did.
 */
final class Drainer {
  private static final String FILLED = "filled";
  private static final int SLOTS = 20;
  private static final int BULK = 5_000;
  private static final String TYPE = "noop";

  private Drainer() {}

  public static void main(String[] args) throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ", 2);
      double rate = drain(args[0], words[0], Integer.parseInt(words[1]), input);
      ChildJvm.tell(String.valueOf(rate));
    }
  }

  private static double drain(String url, String schema, int jobs, BufferedReader input)
      throws IOException, InterruptedException {
    CountDownLatch done = new CountDownLatch(jobs);
    try (Sluice sluice = Sluice.builder(
            PostgresStore.builder().url(url).schema(schema).build())
        .slots(SLOTS)
        .handler(TYPE, Payload.class, (job, c) -> done.countDown())
        .build()
        .start()) {
      sluice.pause("default");
      for (int from = 0; from < jobs; from += BULK) {
        sluice.enqueueAll(some(Math.min(BULK, jobs - from)));
      }
      System.gc();
      ChildJvm.tell(FILLED);
      input.readLine();
      long start = System.nanoTime();
      sluice.resume("default");
      done.await();
      return jobs * 1e9 / (System.nanoTime() - start);
    }
  }

  private static List<JobRequest> some(int count) {
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(Jobs.of(TYPE, Payload.ONE));
    }
    return jobs;
  }
}
