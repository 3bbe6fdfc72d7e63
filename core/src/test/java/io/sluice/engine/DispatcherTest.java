package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobType;
import io.sluice.store.Strikes;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What runs at once, and what waits. */
class DispatcherTest {
  private static final JobType<Object> TYPE = Pieces.type("x");

  private final BlockingQueue<Unit> started = new LinkedBlockingQueue<>();
  private final Dispatcher dispatcher = new Dispatcher(2, started::add, () -> {});

  private static Unit unit(long id, Strikes strikes) {
    return new Unit(List.of(Pieces.attempt(id, Pieces.lane("q", "x"), TYPE, strikes)), id);
  }

  private static List<Unit> units(int n) {
    return IntStream.range(0, n).mapToObj(i -> unit(i, Strikes.NONE)).toList();
  }

  private Unit next() throws InterruptedException {
    Unit unit = started.poll(10, TimeUnit.SECONDS);
    assertThat(unit).isNotNull();
    return unit;
  }

  @Test
  void slots_areNotExceeded_andAnEndStartsTheNext() throws InterruptedException {
    dispatcher.submit(units(5));
    Unit first = next();
    next();
    assertThat(dispatcher.runningNow()).isEqualTo(2);
    assertThat(dispatcher.inHand()).isEqualTo(5);
    dispatcher.ended(first);
    next();
    dispatcher.ended(first);
    assertThat(dispatcher.runningNow()).as("a slot is given back once").isEqualTo(2);
    assertThat(dispatcher.endedSoFar()).isEqualTo(1);
  }

  @Test
  void suspect_waitsForSilence_andHoldsUpTheRest() throws InterruptedException {
    Unit plain = unit(1, Strikes.NONE);
    Unit suspect = unit(2, new Strikes(0, true));
    Unit after = unit(3, Strikes.NONE);
    dispatcher.submit(List.of(plain, suspect, after));
    assertThat(next()).isSameAs(plain);
    assertThat(dispatcher.isReserved()).isTrue();
    assertThat(dispatcher.takeWaitingSince(1_000)).as("the suspect stays").containsExactly(after);
    dispatcher.submit(List.of(after));
    dispatcher.ended(plain);
    assertThat(next()).isSameAs(suspect);
    assertThat(dispatcher.runningNow()).isEqualTo(1);
    assertThat(dispatcher.isReserved()).isTrue();
    dispatcher.ended(suspect);
    assertThat(next()).isSameAs(after);
    assertThat(dispatcher.isReserved()).isFalse();
  }

  @Test
  void close_handsBackWhatHasNotStarted() throws InterruptedException {
    List<Unit> units = units(4);
    dispatcher.submit(units);
    Unit one = next();
    Unit two = next();
    assertThat(dispatcher.close()).containsExactlyElementsOf(units.subList(2, 4));
    assertThat(dispatcher.submit(units(1))).isFalse();
    assertThat(dispatcher.awaitIdle(1_000)).isFalse();
    dispatcher.ended(one);
    dispatcher.ended(two);
    assertThat(dispatcher.awaitIdle(1_000)).isTrue();
  }

  @Test
  void unit_isEitherEndedOrAbandoned() {
    Unit ended = unit(1, Strikes.NONE);
    assertThat(ended.end()).isTrue();
    assertThat(ended.abandon()).isFalse();
    Unit abandoned = unit(1, Strikes.NONE);
    assertThat(abandoned.abandon()).isTrue();
    assertThat(abandoned.end()).isFalse();
  }
}
