package io.sluice.examples;

import io.sluice.BatchRequest;
import io.sluice.CallbackOn;
import io.sluice.JobRequest;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.memory.MemoryStore;
import io.sluice.store.JobStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A graph of jobs: two that run side by side wait for one, one waits for both, and a callback for all. */
public class NightRun {
  record Work(String what) {}

  private static JobRequest job(String type, String what) {
    return Jobs.of(type, new Work(what));
  }

  static BatchRequest plan() {
    var night = BatchRequest.named("night run");
    var orders = night.add("orders", job("load", "orders"));
    night.add("totals", job("count", "totals")).after(orders);
    night.add("regions", job("count", "regions")).after(orders);
    night.add("report", job("report", "of the day")).after("totals", "regions");
    return night.callback(job("tell", "the night run is over"), CallbackOn.ALWAYS);
  }

  /** A handler that adds what it finds to its own batch, which then ends after that too. */
  private static JobType<Work> load(List<String> said) {
    return JobType.of("load", Work.class).handle((job, ctx) -> {
      said.add("load " + job.payload().what());
      ctx.addToBatch(List.of(job("clean", "page 1"), job("clean", "page 2")));
      ctx.result(List.of(3, 4));
    });
  }

  /** Runs the graph on a store and returns what its jobs said. */
  static List<String> run(JobStore store) throws InterruptedException {
    List<String> said = new CopyOnWriteArrayList<>();
    var over = new CountDownLatch(1);
    try (var sluice = Sluice.builder(store)
        .handler(load(said))
        .handler(
            "clean", Work.class, (job, ctx) -> said.add("clean " + job.payload().what()))
        .handler("count", Work.class, (job, ctx) -> {
          var orders = ctx.results().getFirst();
          said.add("count " + job.payload().what() + " of " + orders.json());
          ctx.result(job.payload().what());
        })
        .handler(
            "report",
            Work.class,
            (job, ctx) -> ctx.results()
                .forEach(part -> said.add("report " + part.name() + ": " + part.json())))
        .handler("tell", Work.class, (job, ctx) -> {
          said.add(job.payload().what() + ": " + ctx.results().getFirst().json());
          over.countDown();
        })
        .build()
        .start()) {
      sluice.enqueue(plan());
      over.await();
    }
    return said;
  }

  public static void main(String[] args) throws Exception {
    run(MemoryStore.create()).forEach(System.out::println);
  }
}
