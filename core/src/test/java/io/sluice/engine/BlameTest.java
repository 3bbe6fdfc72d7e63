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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who gets the blame for a lost worker. */
class BlameTest {
  private static final Strikes SUSPECT = new Strikes(0, true);

  private final Blame blame = new Blame(claim -> QueueSettings.of("q"));

  private static LostClaim claim(long id, String type, Strikes strikes, boolean started) {
    ClaimRef ref = new ClaimRef(new UUID(0, id), 1);
    return new LostClaim(ref, Lane.of("default", "q", type), 1, strikes, started, false);
  }

  private static LostClaim plain(long id) {
    return claim(id, "plain", Strikes.NONE, false);
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
  void alone_getsAStrike_andNoAttemptIsSpent() {
    Verdict.Again again = (Verdict.Again) judged(plain(1)).getFirst();
    assertThat(again.strikes()).isEqualTo(new Strikes(1, true));
    assertThat(again.spent()).isFalse();
    assertThat(again.state()).isEqualTo(JobState.PENDING);
    assertThat(again.error().code()).isEqualTo("WORKER_LOST");
  }

  @Test
  void together_areSuspects_withoutAStrike() {
    assertThat(judged(plain(1), plain(2), plain(3))).allMatch(v -> strikes(v).equals(SUSPECT));
  }

  @Test
  void suspectThatRan_isToBlame_andTheOthersAreSpared() {
    List<Verdict> verdicts =
        judged(plain(1), claim(2, "plain", SUSPECT, true), claim(3, "plain", SUSPECT, false));
    assertThat(isSpared(verdicts.get(0), Strikes.NONE)).isTrue();
    assertThat(strikes(verdicts.get(1))).isEqualTo(new Strikes(1, true));
    assertThat(isSpared(verdicts.get(2), SUSPECT)).isTrue();
  }

  @Test
  void claimsWithLeasesOfTheirOwn_getAStrikeEach_alsoInCompany() {
    Lane lane = Lane.of("default", "q", "fragile");
    List<LostClaim> claims = Stream.of(Strikes.NONE, SUSPECT, new Strikes(2, true))
        .map(strikes ->
            new LostClaim(new ClaimRef(new UUID(0, 1), 1), lane, 1, strikes, false, true))
        .toList();
    List<Verdict> verdicts = judged(claims.toArray(LostClaim[]::new));
    assertThat(strikes(verdicts.get(0))).isEqualTo(new Strikes(1, true));
    assertThat(strikes(verdicts.get(1))).isEqualTo(new Strikes(1, true));
    assertThat(verdicts.get(2)).isInstanceOf(Verdict.End.class);
  }

  @Test
  void thirdStrike_isDeath() {
    assertThat(judged(claim(1, "plain", new Strikes(1, true), true)).getFirst())
        .isInstanceOf(Verdict.Again.class);
    Verdict.End dead =
        (Verdict.End) judged(claim(1, "plain", new Strikes(2, true), true)).getFirst();
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.reason()).isEqualTo("WORKER_LOST");
  }

  @Test
  void fragile_isDeadWhenStarted_andSparedWhenNot() {
    List<Verdict> verdicts =
        judged(claim(1, "fragile", Strikes.NONE, true), claim(2, "fragile", Strikes.NONE, false));
    assertThat(verdicts.get(0)).isInstanceOf(Verdict.End.class);
    assertThat(isSpared(verdicts.get(1), Strikes.NONE)).isTrue();
  }
}
