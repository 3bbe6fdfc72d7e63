package io.sluice.server.job;

import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.JobRequest;
import io.sluice.Lane;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.Step;
import io.sluice.http.HttpCall;
import io.sluice.server.quota.QuotaWatch;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Problem;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Puts jobs into their queues, and tells what is wrong with them in the words of the API. */
public final class Enqueuer {
  private static final String CALLBACK = "callback";
  /** How a store begins to say that there is nothing to wait for. */
  private static final String AFTER = "after: ";

  private final Sluice sluice;
  private final QuotaWatch quotas;

  public Enqueuer(Sluice sluice, QuotaWatch quotas) {
    this.sluice = sluice;
    this.quotas = quotas;
  }

  public Enqueued enqueue(JobRequest job) {
    quotas.require(job.lane().tenant());
    try {
      return sluice.enqueue(job);
    } catch (SluiceException e) {
      throw told(List.of(job), index -> "", e);
    }
  }

  /** Takes all of these jobs or none; {@code place} names the job of an index. */
  List<Enqueued> enqueueAll(List<JobRequest> jobs, IntFunction<String> place) {
    requireRoom(jobs);
    try {
      return sluice.enqueueAll(jobs);
    } catch (SluiceException e) {
      throw told(jobs, index -> place.apply(index) + ".", e);
    }
  }

  /** Takes a batch with all its jobs, or nothing. */
  public BatchStarted start(BatchRequest batch) {
    requireRoom(batch.steps().stream().map(Step::job).toList());
    try {
      return sluice.enqueue(batch);
    } catch (SluiceException e) {
      List<JobRequest> jobs = Stream.concat(
              batch.steps().stream().map(Step::job), batch.callback().stream())
          .toList();
      int steps = batch.steps().size();
      throw toldInPlace(jobs, i -> i < steps ? JobBodies.place(i) : CALLBACK, e);
    }
  }

  /** Adds jobs to a batch, by whatever way, all or none. */
  public List<Enqueued> add(List<JobRequest> jobs, Supplier<List<Enqueued>> adding) {
    requireRoom(jobs);
    try {
      return adding.get();
    } catch (SluiceException e) {
      throw toldInPlace(jobs, JobBodies::place, e);
    }
  }

  /** All jobs of a call are of one tenant. */
  private void requireRoom(List<JobRequest> jobs) {
    if (!jobs.isEmpty()) {
      quotas.require(jobs.getFirst().lane().tenant());
    }
  }

  /** As {@link #told}, for what names the place of a job by itself where it finds fault with one. */
  private SluiceException toldInPlace(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    return switch (thrown.code()) {
      case INVALID_MESSAGE -> inWordsOfTheApi(jobs, place, thrown);
      case NOT_FOUND -> unknown(jobs, i -> place.apply(i) + ".", thrown);
      default -> thrown;
    };
  }

  /** What is wrong with the payload of a request is wrong with the body that its producer gave. */
  private static SluiceException inWordsOfTheApi(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    String field = thrown.field().orElse("");
    for (int i = 0; i < jobs.size() && field.endsWith(".payload"); i++) {
      if (field.equals(place.apply(i) + ".payload") && isHttp(jobs.get(i))) {
        return new Invalid(place.apply(i) + ".body", Problem.reason(thrown));
      }
    }
    return thrown;
  }

  private static boolean isHttp(JobRequest job) {
    return job.lane().type().equals(HttpCall.TYPE);
  }

  private SluiceException told(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    return switch (thrown.code()) {
      case INVALID_MESSAGE -> refused(jobs, place, thrown);
      case NOT_FOUND -> unknown(jobs, place, thrown);
      default -> thrown;
    };
  }

  /** What the engine found wrong, told by the field and place that the caller knows. */
  private SluiceException refused(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    for (int i = 0; i < jobs.size(); i++) {
      JobRequest job = jobs.get(i);
      try {
        sluice.check(job);
      } catch (SluiceException e) {
        String field = e.field().orElse("");
        boolean envelope = field.equals("payload") && isHttp(job);
        return new Invalid(place.apply(i) + (envelope ? "body" : field), Problem.reason(e));
      }
    }
    return thrown;
  }

  private SluiceException unknown(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    String detail = Problem.detail(thrown);
    if (!detail.startsWith(AFTER)) {
      return unknownQueue(jobs, place, thrown);
    }
    for (int i = 0; i < jobs.size(); i++) {
      if (jobs.get(i).after().stream().anyMatch(p -> detail.contains(p.id().toString()))) {
        return SluiceException.notFound(place.apply(i) + "after", detail.substring(AFTER.length()));
      }
    }
    return thrown;
  }

  private SluiceException unknownQueue(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    for (int i = 0; i < jobs.size(); i++) {
      Lane lane = jobs.get(i).lane();
      if (sluice.queues().find(lane.tenant(), lane.queue()).isEmpty()) {
        return SluiceException.notFound(
            place.apply(i) + "queue",
            "there is no queue '" + lane.queue() + "'; make it with POST /v1/queues");
      }
    }
    return thrown;
  }
}
