package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Marks;
import io.sluice.Overflow;
import io.sluice.QueueFull;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The cap of a tenant is exact over all its queues, and no caller gets past it. */
public interface TenantCapContract extends StoreTopic {
  Draft OWN = Draft.job().tenant("acme");
  Draft MAIL = OWN.queue("mail");

  @Test
  default void tenantCap_isOneForAllQueues(Bench bench) {
    makeQueues(bench);
    cap(bench, 3L);
    bench.add(OWN);
    bench.add(2, MAIL);
    assertThat(overflow(() -> bench.add(MAIL))).isEqualTo(new Overflow("acme", null, 3, 3, 1));
    assertFull(() -> bench.add(OWN));
    assertThat(bench.listed(JobFilter.all())).hasSize(3);
    assertThat(bench.add(5)).as("another tenant").hasSize(5);
  }

  @Test
  default void tenantCap_letsPast_whatIsSaidTo_andCountsIt(Bench bench) {
    makeQueues(bench);
    cap(bench, 2L);
    bench.add(MAIL);
    assertThat(bench.store().insert(List.of(bench.made(OWN).uncapped(), bench.made(MAIL))))
        .hasSize(2);
    assertThat(size(bench)).isEqualTo(3);
    assertThat(bench.store().insert(List.of(bench.made(MAIL.key("k")).uncapped())))
        .hasSize(1);
    assertThat(overflow(() -> bench.add(OWN))).isEqualTo(new Overflow("acme", null, 4, 2, 1));
    bench.finish(bench.claimOne().ref(), Verdicts.completed());
    assertThat(size(bench)).isEqualTo(3);
  }

  @Test
  default void tenantCap_refusesACallWhole(Bench bench) {
    makeQueues(bench);
    cap(bench, 3L);
    bench.add(MAIL);
    assertThat(overflow(() -> bench.insert(Draft.job(), OWN, MAIL, OWN)))
        .isEqualTo(new Overflow("acme", null, 1, 3, 3));
    assertThat(bench.listed(JobFilter.all())).hasSize(1);
    assertThat(size(bench)).isEqualTo(1);
    assertThat(bench.insert(MAIL, OWN)).hasSize(2);
  }

  @Test
  default void tenantCap_holdsForManyAtOnce(Bench bench) {
    makeQueues(bench);
    cap(bench, 1_500L);
    assertThat(bench.add(1_000, MAIL)).hasSize(1_000);
    assertFull(() -> bench.add(1_000, OWN));
    assertThat(size(bench)).isEqualTo(1_000);
    assertThat(bench.add(500, OWN)).hasSize(500);
    assertFull(() -> bench.add(MAIL));
  }

  @Test
  default void tenantCap_refusal_leavesKeysFree(Bench bench) {
    cap(bench, 1L);
    UUID first = bench.add(OWN);
    assertFull(() -> bench.add(OWN.key("k")));
    bench.store().cancel(first, "room", Verdicts.KEEP);
    assertThat(bench.insert(OWN.key("k")).getFirst().duplicate()).isFalse();
  }

  @Test
  default void tenantCap_answersDuplicates_whenFull(Bench bench) {
    cap(bench, 1L);
    UUID first = bench.add(OWN.key("k"));
    assertThat(bench.insert(OWN.key("k")).getFirst().id()).isEqualTo(first);
    assertThat(size(bench)).isEqualTo(1);
  }

  @Test
  default void tenantCap_countsWhatIsNotOver_fromTheMomentItIsSet(Bench bench) {
    makeQueues(bench);
    for (JobState state : JobState.values()) {
      bench.addIn(state, MAIL.type("t" + state));
    }
    bench.add(OWN);
    cap(bench, 5L);
    assertThat(size(bench)).isEqualTo(5);
    assertFull(() -> bench.add(OWN));
  }

  @Test
  default void tenantCap_holdsForQueuesMadeLater(Bench bench) {
    cap(bench, 2L);
    makeQueues(bench);
    bench.add(MAIL);
    bench.add(OWN);
    assertFull(() -> bench.add(MAIL));
    bench.complete(bench.claimLane(bench.worker(), MAIL.lane(), 10, 1).getFirst());
    assertThat(size(bench)).isEqualTo(1);
    bench.add(MAIL);
    assertFull(() -> bench.add(OWN));
  }

  @Test
  default void tenantCap_reachesAnInstance_thatDidNotHearOfIt(Bench bench) {
    makeQueues(bench);
    JobStore other = bench.other();
    other.insert(bench.made(1, MAIL));
    cap(bench, 1L);
    assertFull(() -> other.insert(bench.made(1, MAIL)));
    assertFull(() -> other.insert(bench.made(2, OWN)));
    cap(bench, null);
    assertThat(other.insert(bench.made(3, MAIL))).hasSize(3);
    cap(bench, 4L);
    assertFull(() -> other.insert(bench.made(1, MAIL)));
  }

  @Test
  default void tenantCap_standsBesideTheCapsOfQueues(Bench bench) {
    makeQueues(bench);
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxSize(2L));
    cap(bench, 3L);
    bench.add(2, MAIL);
    assertThat(overflow(() -> bench.add(MAIL))).isEqualTo(new Overflow("acme", "mail", 2, 2, 1));
    bench.add(OWN);
    assertThat(overflow(() -> bench.add(OWN)).queue()).isNull();
    bench.store().queues().save(QueueSettings.of("acme", "mail"));
    assertThat(bench.store().queues().sizes()).isEmpty();
    assertThat(overflow(() -> bench.add(MAIL)).queue()).isNull();
    bench.claimLane(bench.worker(), MAIL.lane(), 10, 2).forEach(bench::complete);
    assertThat(size(bench)).isEqualTo(1);
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxSize(1L));
    bench.add(MAIL);
    assertThat(overflow(() -> bench.add(MAIL)).queue()).isEqualTo("mail");
    cap(bench, null);
    assertThat(overflow(() -> bench.add(MAIL)).queue()).isEqualTo("mail");
    assertThat(bench.add(10, OWN)).hasSize(10);
  }

  @Test
  default void tenantCap_canBeChangedAndLifted(Bench bench) {
    cap(bench, 1L);
    bench.add(OWN);
    cap(bench, 2L);
    bench.add(OWN);
    assertFull(() -> bench.add(OWN));
    cap(bench, 1L);
    assertThat(size(bench)).isEqualTo(2);
    cap(bench, null);
    cap(bench, null);
    assertThat(bench.store().queues().tenantSizes()).isEmpty();
    assertThat(bench.add(20, OWN)).hasSize(20);
    cap(bench, 22L);
    assertFull(() -> bench.add(OWN));
  }

  @Test
  default void tenantCap_keepsItsMarks(Bench bench) {
    TenantCap cap = new TenantCap(10, new Marks(0.2, 0.6));
    bench.store().queues().capTenant("beta", TenantCap.of(7));
    bench.store().queues().capTenant("acme", cap);
    bench.add(OWN);
    assertThat(bench.other().queues().tenantSizes())
        .containsExactly(
            new TenantSize("acme", 1, cap, 0), new TenantSize("beta", 0, TenantCap.of(7), 0));
    assertThatThrownBy(() -> bench.store().queues().capTenant("No Name", cap))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("tenant");
  }

  @Test
  default void tenantSize_outlivesTheQueuesOfItsJobs(Bench bench) {
    makeQueues(bench);
    cap(bench, 2L);
    UUID dead = bench.addIn(JobState.DEAD, MAIL);
    assertThat(bench.store().queues().delete("acme", "mail")).isTrue();
    assertThat(bench.store().replay(dead)).isTrue();
    assertThat(size(bench)).isEqualTo(1);
    bench.add(OWN);
    assertFull(() -> bench.add(OWN));
    makeQueues(bench);
    assertFull(() -> bench.add(MAIL));
    bench.store().cancel(dead, "room", Verdicts.KEEP);
    assertThat(bench.add(MAIL)).isNotNull();
  }

  @Test
  default void replay_isNotHeldBack_byAFullTenant_butCounts(Bench bench) {
    makeQueues(bench);
    cap(bench, 1L);
    UUID dead = bench.addIn(JobState.DEAD, MAIL);
    UUID waiting = bench.add(OWN);
    assertThat(bench.store().replay(dead)).isTrue();
    assertThat(size(bench)).isEqualTo(2);
    bench.store().cancel(waiting, "room", Verdicts.KEEP);
    assertFull(() -> bench.add(OWN));
  }

  @Test
  default void ended_growsWithEveryEnd_ofQueueAndTenant(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxSize(9L));
    cap(bench, 9L);
    bench.add(4, MAIL);
    List<ClaimedJob> claimed = bench.claimLane(bench.worker(), MAIL.lane(), 10, 3);
    long queue = bench.store().queues().sizes().getFirst().ended();
    long tenant = tenantSize(bench).ended();
    bench.complete(claimed.getFirst());
    bench.finish(claimed.get(1).ref(), Verdicts.into(JobState.DEAD));
    bench.store().cancel(claimed.get(2).ref().job(), "no", Verdicts.KEEP);
    assertThat(bench.store().queues().sizes().getFirst().ended() - queue).isEqualTo(3);
    assertThat(tenantSize(bench).ended() - tenant).isEqualTo(3);
  }

  @Test
  default void tenantCap_isReachedAndNeverExceeded_byConcurrentCallers(Bench bench) {
    makeQueues(bench);
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxSize(30L));
    cap(bench, 50L);
    List<Integer> taken = Together.run(8, i -> () -> {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      int mine = 0;
      for (int call = 0; call < 12; call++) {
        Draft draft = (i + call) % 3 == 0 ? MAIL : OWN;
        mine += taken(store, bench, 1 + call % 3, draft);
        mine += taken(store, bench, 1, draft.key(i + "/" + call));
      }
      return mine + IntStream.range(0, 10).map(n -> taken(store, bench, 1, OWN)).sum();
    });
    assertThat(taken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
    assertThat(size(bench)).isEqualTo(50);
    assertThat(unfinished(bench)).isEqualTo(50);
  }

  @Test
  default void tenantCap_staysExact_whileJobsComeAndGo(Bench bench) {
    makeQueues(bench);
    cap(bench, 20L);
    long worker = bench.worker();
    Together.run(6, i -> () -> {
      JobStore store = i % 3 == 0 ? bench.store() : bench.other();
      for (int round = 0; round < 12; round++) {
        if (i % 2 == 0) {
          taken(store, bench, 1 + round % 3, round % 2 == 0 ? MAIL : OWN);
          assertThat(size(bench)).isLessThanOrEqualTo(20);
        } else {
          bench.claim(store, worker, 4).forEach(bench::complete);
        }
      }
      return i;
    });
    assertThat(size(bench)).isEqualTo(unfinished(bench));
    for (int i = 0; i < 21; i++) {
      taken(bench.store(), bench, 1, OWN);
    }
    assertThat(unfinished(bench)).isEqualTo(20);
  }

  private static int taken(JobStore store, Bench bench, int jobs, Draft draft) {
    try {
      store.insert(bench.made(jobs, draft));
      return jobs;
    } catch (QueueFull e) {
      return 0;
    }
  }

  private static void makeQueues(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail"));
  }

  private static void cap(Bench bench, @Nullable Long maxSize) {
    bench.store().queues().capTenant("acme", maxSize == null ? null : TenantCap.of(maxSize));
  }

  private static TenantSize tenantSize(Bench bench) {
    return bench.store().queues().tenantSizes().getFirst();
  }

  private static long size(Bench bench) {
    return tenantSize(bench).unfinished();
  }

  private static long unfinished(Bench bench) {
    return bench.store().counts("acme").stream()
        .filter(count -> !count.state().isFinal())
        .mapToLong(count -> count.jobs())
        .sum();
  }

  private static Overflow overflow(ThrowingCallable call) {
    QueueFull full = catchThrowableOfType(QueueFull.class, call);
    assertThat(full).as("a refusal").isNotNull();
    return full.overflow();
  }

  private static void assertFull(ThrowingCallable call) {
    assertThat(overflow(call).tenant()).isEqualTo("acme");
  }
}
