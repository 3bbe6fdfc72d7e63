package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Outcomes that the store fails to write again and again, though it writes others. */
public interface StuckOutcomeContract extends EngineTopic {
  /** A store that writes no outcome of some jobs, nor of others in the same call. */
  final class Failing extends ForwardingStore {
    private final Set<UUID> jobs = ConcurrentHashMap.newKeySet();

    Failing(JobStore store) {
      super(store);
    }

    @Override
    public Set<ClaimRef> finish(List<Finish> finishes) {
      if (finishes.stream().anyMatch(finish -> jobs.contains(finish.ref().job()))) {
        throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "the statement took too long");
      }
      return super.finish(finishes);
    }
  }

  @Test
  default void outcomesThatCannotBeWritten_holdUpNoOthers_andAreWrittenOnceTheyCan(Rig rig) {
    Failing store = new Failing(rig.another());
    CountDownLatch gate = rig.gate();
    Sluice engine =
        rig.start(rig.engine(store).slots(40).handler(Rig.type().handle((job, context) -> {
          gate.await();
        })));
    List<UUID> all =
        engine.enqueueAll(Rig.jobs(40)).stream().map(one -> one.id()).toList();
    store.jobs.addAll(List.of(all.get(7), all.get(31)));
    gate.countDown();
    rig.await(all.stream().filter(id -> !store.jobs.contains(id)).toList(), JobState.COMPLETED);
    assertThat(rig.find(all.get(7)).state()).isEqualTo(JobState.RUNNING);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    Eventually.await(
        "health says so",
        () -> engine.health().problems().stream()
            .anyMatch(problem -> problem.startsWith("outcomes that cannot be written: 2")));

    store.jobs.clear();
    rig.await(all, JobState.COMPLETED);
    assertThat(all).allMatch(id -> rig.find(id).attempt() == 1);
    Eventually.await(
        "health is well again",
        () -> engine.health().problems().stream().noneMatch(p -> p.startsWith("outcomes")));
  }
}
