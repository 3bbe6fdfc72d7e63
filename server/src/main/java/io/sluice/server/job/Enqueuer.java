package io.sluice.server.job;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.Lane;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.http.HttpCall;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Problem;
import java.util.List;
import java.util.function.IntFunction;

/** Puts jobs into their queues, and tells what is wrong with them in the words of the API. */
public final class Enqueuer {
  private final Sluice sluice;

  public Enqueuer(Sluice sluice) {
    this.sluice = sluice;
  }

  public Enqueued enqueue(JobRequest job) {
    try {
      return sluice.enqueue(job);
    } catch (SluiceException e) {
      throw told(List.of(job), index -> "", e);
    }
  }

  /** Takes all of these jobs or none; {@code place} names the job of an index. */
  List<Enqueued> enqueueAll(List<JobRequest> jobs, IntFunction<String> place) {
    try {
      return sluice.enqueueAll(jobs);
    } catch (SluiceException e) {
      throw told(jobs, index -> place.apply(index) + ".", e);
    }
  }

  private SluiceException told(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    return switch (thrown.code()) {
      case INVALID_MESSAGE -> refused(jobs, place, thrown);
      case NOT_FOUND -> unknownQueue(jobs, place, thrown);
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
        boolean envelope = field.equals("payload") && job.lane().type().equals(HttpCall.TYPE);
        return new Invalid(place.apply(i) + (envelope ? "body" : field), Problem.reason(e));
      }
    }
    return thrown;
  }

  private SluiceException unknownQueue(
      List<JobRequest> jobs, IntFunction<String> place, SluiceException thrown) {
    for (int i = 0; i < jobs.size(); i++) {
      Lane lane = jobs.get(i).lane();
      if (sluice.queues().find(lane.tenant(), lane.queue()).isEmpty()) {
        return new SluiceException(
            ErrorCode.NOT_FOUND,
            place.apply(i) + "queue: there is no queue '" + lane.queue()
                + "'; make it with POST /v1/queues",
            thrown);
      }
    }
    return thrown;
  }
}
