package io.sluice.engine;

import io.sluice.AfterPolicy;
import io.sluice.BatchRequest;
import io.sluice.JobRequest;
import io.sluice.Names;
import io.sluice.Predecessor;
import io.sluice.SluiceException;
import io.sluice.Step;
import io.sluice.Ties;
import io.sluice.store.ClaimRef;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it goes into a store: its jobs have ids, and wait for ids where their steps wait for names.
 * What is wrong with a step is said with its place, as {@code jobs[3].after}.
 */
record Plan(NewBatch batch, List<NewJob> jobs) {
  /** The batch that a new one becomes a part of, and the running job by which it comes. */
  record Home(@Nullable UUID batch, @Nullable ClaimRef by) {}

  static Plan of(BatchRequest request, Home home, Intake intake) {
    Names.check("tenant", request.tenant());
    Names.checkTitle("name", request.name());
    JsonText.checkPlain("name", request.name());
    List<Step> steps = request.steps();
    Intake.Load load = new Intake.Load(steps.size());
    Steps named = Steps.of(steps, intake);
    UUID id = intake.nextId();
    List<NewJob> jobs = new ArrayList<>(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      jobs.add(
          load.with(in(place(i), () -> member(step, named.ids(), request.tenant(), id, intake))));
    }
    NewJob callback = request
        .callback()
        .map(job -> load.with(in("callback", () -> callback(job, request, id, intake))))
        .orElse(null);
    NewBatch batch = new NewBatch(
        id,
        request.tenant(),
        request.name(),
        request.isOpen(),
        home.batch(),
        home.by(),
        request.idempotencyKey().map(key -> Intake.key("idempotencyKey", key)).orElse(null),
        callback,
        Links.KEEP_BATCH);
    return new Plan(batch, List.copyOf(jobs));
  }

  /** Jobs that join a batch which is there already. */
  static List<NewJob> joining(UUID batch, String tenant, List<JobRequest> requests, Intake intake) {
    Intake.Load load = new Intake.Load(requests.size());
    List<NewJob> jobs = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      JobRequest request = requests.get(i);
      jobs.add(load.with(in(place(i), () -> {
        TieRules.checkMember(request, tenant);
        Ties ties = new Ties(request.after(), request.afterPolicy(), batch);
        return intake.take(intake.nextId(), request, ties);
      })));
    }
    return List.copyOf(jobs);
  }

  static String place(int index) {
    return "jobs[" + index + "]";
  }

  private static NewJob member(
      Step step, Map<String, UUID> ids, String tenant, UUID batch, Intake intake) {
    JobRequest job = step.job();
    TieRules.checkMember(job, tenant);
    List<Predecessor> after = new ArrayList<>(job.after());
    for (String name : step.after()) {
      after.add(new Predecessor(id(name, step, ids), name));
    }
    return intake.take(id(step.name(), step, ids), job, new Ties(after, job.afterPolicy(), batch));
  }

  private static UUID id(String name, Step step, Map<String, UUID> ids) {
    UUID id = ids.get(name);
    if (id == null) {
      throw Steps.unknown(name, step);
    }
    return id;
  }

  private static NewJob callback(JobRequest job, BatchRequest request, UUID id, Intake intake) {
    TieRules.checkMember(job, request.tenant());
    if (!job.after().isEmpty()) {
      throw SluiceException.invalid("after", "must be empty: it waits for the batch alone");
    }
    if (job.afterPolicy() != AfterPolicy.CANCEL) {
      throw SluiceException.invalid(
          "afterPolicy", "is not for a callback: say when it runs with the batch");
    }
    Predecessor batch = new Predecessor(id, request.name());
    NewJob taken = intake.take(job);
    Ties ties = new Ties(List.of(batch), request.on().policy(), null);
    return new NewJob(
        taken.id(), taken.lane(), taken.spec().withTies(ties), taken.when(), taken.strict());
  }

  private static <T> T in(String part, Supplier<T> taking) {
    try {
      return taking.get();
    } catch (SluiceException e) {
      throw e.in(part);
    }
  }
}
