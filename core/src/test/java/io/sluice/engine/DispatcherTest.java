package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobSpec;
import io.sluice.JobType;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What runs at once, and what waits. */
class DispatcherTest {
  private static final JobType<Object> TYPE = Pieces.type("x");
  private static final long PATIENCE = 1_000;

  private final AtomicLong time = new AtomicLong();
  private final AtomicInteger calls = new AtomicInteger();
  private final BlockingQueue<Unit> started = new LinkedBlockingQueue<>();
  private final Dispatcher dispatcher = new Dispatcher(
      3, time::get, started::add, new Waiting(lane -> 1), calls::incrementAndGet, () -> {});

  private Unit unit(long id, long patience) {
    Attempt attempt = Pieces.attempt(id, Pieces.lane("q", "x"), TYPE, Strikes.NONE);
    return new Unit(List.of(attempt), time.get(), patience);
  }

  private Unit plain(long id) {
    return unit(id, 0);
  }

  private Unit suspect(long id) {
    return unit(id, PATIENCE);
  }

  private List<Unit> units(int n) {
    return IntStream.range(0, n).mapToObj(this::plain).toList();
  }

  private Unit next() throws InterruptedException {
    Unit unit = started.poll(10, TimeUnit.SECONDS);
    assertThat(unit).isNotNull();
    return unit;
  }

  /** The next to start, in whatever order their threads come. */
  private List<Unit> next(int n) throws InterruptedException {
    Unit[] units = new Unit[n];
    for (int i = 0; i < n; i++) {
      units[i] = next();
    }
    return List.of(units);
  }

  private void pass(long nanos) {
    time.addAndGet(nanos);
    dispatcher.tick();
  }

  @Test
  void slots_areNotExceeded_andAnEndStartsTheNext() throws InterruptedException {
    dispatcher.submit(units(6));
    Unit first = next(3).getFirst();
    assertThat(dispatcher.runningNow()).isEqualTo(3);
    assertThat(dispatcher.inHand()).isEqualTo(6);
    dispatcher.ended(first);
    next();
    dispatcher.ended(first);
    assertThat(dispatcher.runningNow()).as("a slot is given back once").isEqualTo(3);
    assertThat(dispatcher.endedSoFar()).isEqualTo(1);
  }

  @Test
  void suspect_waitsForSilence_andHoldsUpTheRest() throws InterruptedException {
    Unit plain = plain(1);
    Unit suspect = suspect(2);
    Unit after = plain(3);
    dispatcher.submit(List.of(plain, suspect, after));
    assertThat(next()).isSameAs(plain);
    assertThat(dispatcher.isReserved()).isTrue();
    dispatcher.ended(plain);
    assertThat(next()).isSameAs(suspect);
    assertThat(suspect.isAlone()).isTrue();
    pass(PATIENCE - 1);
    assertThat(dispatcher.runningNow()).isEqualTo(1);
    assertThat(dispatcher.isReserved()).isTrue();
    dispatcher.ended(suspect);
    assertThat(next()).isSameAs(after);
    assertThat(dispatcher.isReserved()).isFalse();
  }

  @Test
  void suspects_startTogetherInCompany_whenTheirPatienceRanOut() throws InterruptedException {
    Unit plain = plain(1);
    List<Unit> suspects = List.of(suspect(2), suspect(3));
    dispatcher.submit(List.of(plain));
    dispatcher.submit(suspects);
    assertThat(next()).isSameAs(plain);
    pass(PATIENCE - 1);
    assertThat(dispatcher.runningNow()).isEqualTo(1);
    int before = calls.get();
    pass(1);
    assertThat(next(2)).containsExactlyInAnyOrderElementsOf(suspects);
    assertThat(suspects).noneMatch(Unit::isAlone);
    assertThat(dispatcher.isReserved()).isFalse();
    assertThat(calls).as("more may be claimed").hasValue(before + 1);
  }

  @Test
  void loneSuspect_isJoined_whenItHasBeenAloneLongEnough() throws InterruptedException {
    Unit suspect = suspect(1);
    dispatcher.submit(List.of(suspect));
    dispatcher.submit(List.of(plain(2)));
    assertThat(next()).isSameAs(suspect);
    int before = calls.get();
    pass(PATIENCE);
    next();
    assertThat(dispatcher.runningNow()).isEqualTo(2);
    assertThat(suspect.isAlone()).isFalse();
    assertThat(calls).hasValue(before + 1);
  }

  @Test
  void loneSuspect_staysAlone_whileThereIsNobodyToJoinIt() throws InterruptedException {
    Unit suspect = suspect(1);
    dispatcher.submit(List.of(suspect));
    next();
    dispatcher.tick();
    int before = calls.get();
    pass(PATIENCE);
    assertThat(suspect.isAlone()).isTrue();
    assertThat(dispatcher.isReserved()).isFalse();
    assertThat(calls).as("others may be claimed").hasValue(before + 1);
  }

  @Test
  void suspectOfLongPatience_holdsUpNoOther() throws InterruptedException {
    Unit patient = unit(1, 10 * PATIENCE);
    Unit fresh = suspect(2);
    dispatcher.submit(List.of(patient, fresh));
    assertThat(next()).isSameAs(patient);
    pass(PATIENCE);
    assertThat(next()).isSameAs(fresh);
    assertThat(patient.isAlone()).isFalse();
  }

  @Test
  void impatientSuspect_waitsForASlot() throws InterruptedException {
    dispatcher.submit(units(3));
    Unit first = next(3).getFirst();
    Unit suspect = suspect(4);
    dispatcher.submit(List.of(suspect));
    pass(PATIENCE);
    assertThat(dispatcher.runningNow()).isEqualTo(3);
    dispatcher.ended(first);
    assertThat(next()).isSameAs(suspect);
  }

  @Test
  void takeWaiting_leavesASuspect_untilItsPatienceHasRunOut() throws InterruptedException {
    dispatcher.submit(units(3));
    next(3);
    Unit suspect = suspect(4);
    Unit plain = plain(5);
    dispatcher.submit(List.of(suspect, plain));
    assertThat(dispatcher.takeWaitingSince(PATIENCE)).containsExactly(plain);
    assertThat(dispatcher.takeWaitingSince(PATIENCE + 1)).containsExactly(suspect);
  }

  @Test
  void close_handsBackWhatHasNotStarted() throws InterruptedException {
    List<Unit> units = units(5);
    dispatcher.submit(units);
    List<Unit> running = next(3);
    assertThat(dispatcher.close()).containsExactlyElementsOf(units.subList(3, 5));
    assertThat(dispatcher.submit(units(1))).isFalse();
    assertThat(dispatcher.awaitIdle(1_000)).isFalse();
    running.forEach(dispatcher::ended);
    assertThat(dispatcher.awaitIdle(1_000)).isTrue();
  }

  /** A job of this queue and priority that a limited rate lets start so long from now. */
  private Unit unit(long id, String queue, int priority, long startIn) {
    Attempt attempt = Pieces.attempt(id, Pieces.lane(queue, "x"), TYPE, Strikes.NONE);
    ClaimedJob job = attempt.claimed;
    JobSpec spec = new JobSpec("{}", new Priority(priority), null, null, null, null, Metadata.NONE);
    ClaimedJob changed = new ClaimedJob(
        job.ref(),
        job.lane(),
        spec,
        job.createdAt(),
        job.claimedAt(),
        1,
        Strikes.NONE,
        null,
        Duration.ofNanos(startIn));
    return new Unit(
        List.of(new Attempt(changed, 0, TYPE, attempt.policy, attempt.timeout)), time.get(), 0);
  }

  @Test
  void queuesTakeTurns_andTheUrgentOfAQueueGoFirst() throws InterruptedException {
    dispatcher.submit(units(3));
    List<Unit> running = next(3);
    List<Unit> units = List.of(
        unit(11, "a", 10, 0), unit(12, "a", 10, 0), unit(13, "a", 5, 0), unit(14, "b", 10, 0));
    dispatcher.submit(units);
    List<Unit> order = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      dispatcher.ended(running.get(i));
      order.add(next());
    }
    assertThat(order).containsExactly(units.get(2), units.get(3), units.get(0));
  }

  @Test
  void unitWithAStart_takesNoSlot_untilItsTime() throws InterruptedException {
    Unit later = unit(1, "a", 10, 500);
    Unit soon = unit(2, "a", 10, 200);
    dispatcher.submit(List.of(later, soon));
    assertThat(dispatcher.inHand()).isZero();
    assertThat(dispatcher.inHand(lane -> true)).isEqualTo(2);
    assertThat(dispatcher.startDue()).isEqualTo(200);
    time.addAndGet(200);
    assertThat(dispatcher.startDue()).isEqualTo(300);
    assertThat(next()).isSameAs(soon);
    time.addAndGet(300);
    assertThat(dispatcher.startDue()).isEqualTo(Long.MAX_VALUE);
    assertThat(next()).isSameAs(later);
  }

  @Test
  void unitThatMissedItsStart_isHandedBack() throws InterruptedException {
    dispatcher.submit(units(3));
    Unit running = next(3).getFirst();
    Unit late = unit(9, "a", 10, 5);
    dispatcher.submit(List.of(late));
    time.addAndGet(Duration.ofMillis(200).toNanos());
    dispatcher.startDue();
    int before = calls.get();
    dispatcher.ended(running);
    assertThat(calls).hasValue(before + 1);
    assertThat(dispatcher.takeWaitingSince(0)).containsExactly(late);
    assertThat(dispatcher.inHand(lane -> lane.queue().equals("a"))).isZero();
  }

  @Test
  void startThatWasMissedWhileSlotsAreFree_isGivenBackAtOnce() {
    Unit late = unit(1, "a", 10, 5);
    Unit inTime = unit(2, "b", 10, Duration.ofMillis(190).toNanos());
    dispatcher.submit(List.of(late, inTime));
    int before = calls.get();
    time.addAndGet(Duration.ofMillis(200).toNanos());
    dispatcher.startDue();
    assertThat(calls).as("the claims are told without waiting for a poll").hasValue(before + 1);
    assertThat(dispatcher.takeWaitingSince(0)).containsExactly(late);
    assertThat(dispatcher.inHand(lane -> lane.queue().equals("a"))).isZero();
    assertThat(dispatcher.runningNow()).as("the other was late by less").isEqualTo(1);
  }

  @Test
  void unit_isEitherEndedOrAbandoned() {
    Unit ended = plain(1);
    assertThat(ended.end()).isTrue();
    assertThat(ended.abandon()).isFalse();
    Unit abandoned = plain(1);
    assertThat(abandoned.abandon()).isTrue();
    assertThat(abandoned.end()).isFalse();
  }
}
