package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a known idempotency key is answered with. */
public interface IdempotencyContract extends StoreTopic {
  @Test
  default void key_isAnsweredWithTheFirstJob(Bench bench) {
    UUID first = bench.add(Draft.job().key("k"));
    Enqueued second = bench.insert(Draft.job().key("k")).getFirst();
    assertThat(second).isEqualTo(new Enqueued(first, JobState.PENDING, true));
  }

  @Test
  default void key_storesNoSecondJob(Bench bench) {
    UUID first = bench.add(Draft.job().key("k").payload("\"first\""));
    bench.add(Draft.job().key("k").payload("\"second\""));
    assertThat(bench.listed(JobFilter.all())).containsExactly(first);
    assertThat(bench.find(first).payload()).isEqualTo("\"first\"");
    assertThat(bench.claim(10)).hasSize(1);
  }

  @Test
  default void key_isKnown_withinOneCall(Bench bench) {
    List<Enqueued> answers =
        bench.insert(Draft.job().key("a"), Draft.job().key("b"), Draft.job().key("a"), Draft.job());
    assertThat(answers).extracting(Enqueued::duplicate).containsExactly(false, false, true, false);
    assertThat(answers.get(2).id()).isEqualTo(answers.get(0).id());
    assertThat(bench.listed(JobFilter.all())).hasSize(3);
  }

  @Test
  default void key_isItsOwn_inEachQueue(Bench bench) {
    bench.makeQueue("mail");
    UUID first = bench.add(Draft.job().key("k"));
    Enqueued second = bench.insert(Draft.job().queue("mail").key("k")).getFirst();
    assertThat(second.duplicate()).isFalse();
    assertThat(second.id()).isNotEqualTo(first);
  }

  @Test
  default void key_isItsOwn_inEachTenant(Bench bench) {
    bench.add(Draft.job().tenant("acme").key("k"));
    assertThat(bench.insert(Draft.job().tenant("globex").key("k")).getFirst().duplicate())
        .isFalse();
  }

  @Test
  default void key_isShared_byTypesOfAQueue(Bench bench) {
    UUID first = bench.add(Draft.job().type("one").key("k"));
    Enqueued second = bench.insert(Draft.job().type("two").key("k")).getFirst();
    assertThat(second).isEqualTo(new Enqueued(first, JobState.PENDING, true));
  }

  @Test
  default void key_isAnsweredWithTheStateOfTheJob(Bench bench) {
    for (JobState state : JobState.values()) {
      String key = "k" + state;
      UUID job = bench.addIn(state, Draft.job().type("t" + state).key(key));
      assertThat(bench.insert(Draft.job().type("t" + state).key(key)).getFirst())
          .isEqualTo(new Enqueued(job, state, true));
    }
  }

  @Test
  default void key_comparesByItsWholeText(Bench bench) {
    bench.insert(
        Draft.job().key("k"),
        Draft.job().key("K"),
        Draft.job().key("k "),
        Draft.job().key("é"));
    assertThat(bench.claim(10)).hasSize(4);
  }

  @Test
  default void jobsWithoutKey_areNeverDuplicates(Bench bench) {
    assertThat(bench.insert(Draft.job(), Draft.job()))
        .extracting(Enqueued::duplicate)
        .containsExactly(false, false);
  }

  @Test
  default void strictJob_isTaken_whenItsKeyIsNew(Bench bench) {
    assertThat(bench.insert(Draft.job().key("k").strictly()).getFirst().duplicate())
        .isFalse();
  }

  @Test
  default void strictJob_isRefused_whenItsKeyIsKnown(Bench bench) {
    bench.add(Draft.job().key("k"));
    assertThatThrownBy(() -> bench.insert(Draft.job().key("k").strictly()))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_MESSAGE));
  }

  @Test
  default void strictJob_refusesTheWholeCall(Bench bench) {
    UUID first = bench.add(Draft.job().key("known"));
    assertThatThrownBy(() -> bench.insert(
            Draft.job(), Draft.job().key("new"), Draft.job().key("known").strictly()))
        .isInstanceOf(SluiceException.class);
    assertThat(bench.listed(JobFilter.all())).containsExactly(first);
    assertThat(bench.insert(Draft.job().key("new")).getFirst().duplicate())
        .as("the key of a refused call is free")
        .isFalse();
  }

  @Test
  default void strictJob_isRefused_whenItsKeyIsTwiceInTheCall(Bench bench) {
    assertThatThrownBy(
            () -> bench.insert(Draft.job().key("k"), Draft.job().key("k").strictly()))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_MESSAGE));
    assertThat(bench.listed(JobFilter.all())).isEmpty();
  }

  @Test
  default void key_isFree_onceItsJobIsDeleted(Bench bench) {
    UUID first = bench.addIn(JobState.DEAD, Draft.job().key("k"));
    assertThat(bench.store().delete(first)).isTrue();
    Enqueued second = bench.insert(Draft.job().key("k")).getFirst();
    assertThat(second.duplicate()).isFalse();
    assertThat(bench.state(second.id())).isEqualTo(JobState.PENDING);
  }

  @Test
  default void key_staysTaken_afterReplay(Bench bench) {
    UUID first = bench.addIn(JobState.DEAD, Draft.job().key("k"));
    bench.store().replay(first);
    bench.advance(Duration.ofDays(30));
    bench.store().purge();
    assertThat(bench.insert(Draft.job().key("k")).getFirst().id()).isEqualTo(first);
  }

  @Test
  default void key_hasOneWinner_amongConcurrentCallers(Bench bench) {
    List<List<Enqueued>> answers = Together.run(
        8,
        i -> () -> (i % 2 == 0 ? bench.store() : bench.other())
            .insert(List.of(
                bench.made(Draft.job().key(i % 2 == 0 ? "a" : "b")),
                bench.made(Draft.job().key(i % 2 == 0 ? "b" : "a")))));
    List<Enqueued> all = answers.stream().flatMap(List::stream).toList();
    assertThat(all).filteredOn(answer -> !answer.duplicate()).hasSize(2);
    assertThat(all).extracting(Enqueued::id).hasSize(16);
    assertThat(all.stream().map(Enqueued::id).distinct()).hasSize(2);
    assertThat(bench.claim(16)).hasSize(2);
  }
}
