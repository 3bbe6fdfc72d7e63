package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who gets the blame for a lost worker. */
class BlameTest {
  private static final Strikes SUSPECT = new Strikes(0, 1);

  private final Blame blame = new Blame(claim -> QueueSettings.of("q"));

  /** What was noted of a start. */
  private enum Start {
    NONE,
    IN_COMPANY,
    ALONE
  }

  private static LostClaim claim(long id, String type, Strikes strikes, Start start) {
    ClaimRef ref = new ClaimRef(new UUID(0, id), 1, 1);
    return new LostClaim(
        ref,
        Lane.of("default", "q", type),
        1,
        strikes,
        start != Start.NONE,
        start == Start.ALONE,
        false);
  }

  private static LostClaim plain(long id) {
    return claim(id, "plain", Strikes.NONE, Start.NONE);
  }

  private static LostClaim suspect(long id, Start start) {
    return claim(id, "plain", SUSPECT, start);
  }

  private List<Verdict> judged(LostClaim... claims) {
    LostWorker worker = new LostWorker(1, "w", Set.of("fragile"), List.of(claims));
    return blame.judge(worker, Pieces.NOW).stream().map(Finish::verdict).toList();
  }

  private static Strikes strikes(Verdict verdict) {
    return ((Verdict.Again) verdict).strikes();
  }

  private static boolean isSpared(Verdict verdict, Strikes as) {
    return verdict.equals(Verdict.unspent(as));
  }

  @Test
  void claimThatHadNotStarted_isEndedOnlyIfItStillHasNot() {
    LostClaim idle = claim(1, "fragile", Strikes.NONE, Start.NONE);
    LostClaim busy = claim(2, "fragile", Strikes.NONE, Start.IN_COMPANY);
    LostWorker worker = new LostWorker(1, "w", Set.of("fragile"), List.of(idle, busy));
    assertThat(blame.judge(worker, Pieces.NOW))
        .extracting(Finish::onlyUnstarted)
        .containsExactly(true, false);
  }

  @Test
  void onlyClaim_getsAStrike_andNoAttemptIsSpent() {
    Verdict.Again again = (Verdict.Again) judged(plain(1)).getFirst();
    assertThat(again.strikes()).isEqualTo(new Strikes(1, 0));
    assertThat(again.spent()).isFalse();
    assertThat(again.state()).isEqualTo(JobState.PENDING);
    assertThat(again.error().code()).isEqualTo("WORKER_LOST");
  }

  @Test
  void together_areSuspects_withoutAStrike() {
    assertThat(judged(plain(1), plain(2), plain(3))).allMatch(v -> strikes(v).equals(SUSPECT));
  }

  @Test
  void suspectThatRanAlone_isToBlame_andTheOthersAreSpared() {
    List<Verdict> verdicts = judged(plain(1), suspect(2, Start.ALONE), suspect(3, Start.NONE));
    assertThat(isSpared(verdicts.get(0), Strikes.NONE)).isTrue();
    assertThat(strikes(verdicts.get(1))).isEqualTo(new Strikes(1, 1));
    assertThat(isSpared(verdicts.get(2), SUSPECT)).isTrue();
  }

  @Test
  void whatEndedBeforeTheLoneOneBegan_isSpared() {
    List<Verdict> verdicts = judged(suspect(1, Start.IN_COMPANY), suspect(2, Start.ALONE));
    assertThat(isSpared(verdicts.get(0), SUSPECT)).isTrue();
    assertThat(strikes(verdicts.get(1))).isEqualTo(new Strikes(1, 1));
  }

  @Test
  void suspectsInCompany_areMoreSuspect_withoutAStrike_howeverOften() {
    Strikes often = new Strikes(2, 40);
    List<Verdict> verdicts =
        judged(claim(1, "plain", often, Start.IN_COMPANY), suspect(2, Start.IN_COMPANY), plain(3));
    assertThat(strikes(verdicts.get(0))).isEqualTo(new Strikes(2, 41));
    assertThat(strikes(verdicts.get(1))).isEqualTo(new Strikes(0, 2));
    assertThat(strikes(verdicts.get(2))).isEqualTo(SUSPECT);
  }

  @Test
  void suspectThatHadNotStarted_isSpared_amongOthersAndByItself() {
    assertThat(isSpared(judged(plain(1), suspect(2, Start.NONE)).get(1), SUSPECT))
        .isTrue();
    assertThat(isSpared(judged(suspect(1, Start.NONE)).getFirst(), SUSPECT)).isTrue();
  }

  @Test
  void suspectWhoseCompanyHadEnded_wasAlone() {
    assertThat(strikes(judged(suspect(1, Start.IN_COMPANY)).getFirst()))
        .isEqualTo(new Strikes(1, 1));
  }

  @Test
  void twoThatBothSeemAlone_getNoStrike() {
    assertThat(judged(suspect(1, Start.ALONE), suspect(2, Start.ALONE)))
        .allMatch(v -> strikes(v).equals(new Strikes(0, 2)));
  }

  private static LostClaim lease(Strikes strikes, boolean inUse) {
    ClaimRef ref = new ClaimRef(new UUID(0, 1), 1, 1);
    return new LostClaim(ref, Lane.of("default", "q", "fragile"), 1, strikes, inUse, false, true);
  }

  @Test
  void leaseOfARemoteWorker_isNoStrike_theFirstTime() {
    assertThat(strikes(judged(lease(Strikes.NONE, true)).getFirst())).isEqualTo(SUSPECT);
    assertThat(strikes(judged(lease(Strikes.NONE, false)).getFirst())).isEqualTo(SUSPECT);
  }

  @Test
  void leaseOfARemoteWorker_isNoStrike_whenItWasNeverInUse_howeverOften() {
    Strikes often = new Strikes(2, 40);
    assertThat(strikes(judged(lease(often, false)).getFirst())).isEqualTo(new Strikes(2, 41));
  }

  @Test
  void leaseOfARemoteWorker_isAStrike_whenASuspectUsedItAlone() {
    assertThat(strikes(judged(lease(SUSPECT, true)).getFirst())).isEqualTo(new Strikes(1, 1));
    assertThat(judged(lease(new Strikes(2, 1), true)).getFirst()).isInstanceOf(Verdict.End.class);
  }

  @Test
  void leasesOfARemoteWorker_thatAreLostTogether_areNoStrikes() {
    Strikes often = new Strikes(2, 1);
    assertThat(judged(lease(often, true), lease(often, true)))
        .allMatch(v -> strikes(v).equals(new Strikes(2, 2)));
  }

  @Test
  void thirdStrike_isDeath() {
    assertThat(judged(claim(1, "plain", new Strikes(1, 9), Start.ALONE)).getFirst())
        .isInstanceOf(Verdict.Again.class);
    Verdict.End dead = (Verdict.End)
        judged(claim(1, "plain", new Strikes(2, 0), Start.ALONE), plain(2)).getFirst();
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.reason()).isEqualTo("WORKER_LOST");
  }

  @Test
  void fragile_isDeadWhenStarted_andSparedWhenNot() {
    List<Verdict> verdicts = judged(
        claim(1, "fragile", Strikes.NONE, Start.IN_COMPANY),
        claim(2, "fragile", Strikes.NONE, Start.NONE),
        suspect(3, Start.ALONE));
    assertThat(verdicts.get(0)).isInstanceOf(Verdict.End.class);
    assertThat(isSpared(verdicts.get(1), Strikes.NONE)).isTrue();
  }
}
