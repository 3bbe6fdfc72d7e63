package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract suite can fail: each well-known fault is noticed, by the case that is about it. */
class BrokenStoresTest {
  private static final Map<Class<?>, String> NOTICED_BY = Map.ofEntries(
      Map.entry(
          BrokenStores.UnfencedFinish.class, "finish_isRefused_whileTheJobRunsInALaterTurn(Bench)"),
      Map.entry(
          BrokenStores.AllOrNothingFinish.class,
          "finish_leavesOutOneStaleClaim_amongAHundred(Bench)"),
      Map.entry(BrokenStores.DoubleClaim.class, "claim_neverGivesAJobTwice_toEightThreads(Bench)"),
      Map.entry(BrokenStores.ReversedClaim.class, "claim_isFirstInFirstOut(Bench)"),
      Map.entry(
          BrokenStores.RevivingHeartbeat.class, "heartbeat_neverRevivesAnExpiredLease(Bench)"),
      Map.entry(
          BrokenStores.HeavyPage.class, "page_endsEarly_beforeItHasMoreBytesThanItMay(Bench)"),
      Map.entry(
          BrokenStores.WholeSummaries.class,
          "summary_leavesOutPayloadResultAndStack_andNothingElse(Bench)"),
      Map.entry(
          BrokenStores.HeavyClaim.class,
          "claim_takesNoMoreBytesThanItMay_andLeavesTheRestAsItWas(Bench)"),
      Map.entry(BrokenStores.KeylessInsert.class, "key_isAnsweredWithTheFirstJob(Bench)"),
      Map.entry(BrokenStores.PiecemealInsert.class, "cap_refusesACallWhole(Bench)"),
      Map.entry(
          BrokenStores.PurgeOfTheUnrun.class,
          "purge_neverDropsWhatIsNotOver_afterFourHundredDays(Bench)"),
      Map.entry(
          BrokenStores.CancelThatSparesRuns.class, "cancel_ofARunningJob_endsItsClaim(Bench)"),
      Map.entry(BrokenStores.ReplayOfEverything.class, "PENDING never becomes PENDING"),
      Map.entry(BrokenStores.BlindRescue.class, "lost_showsTheWorkerAndItsClaims(Bench)"),
      Map.entry(
          BrokenStores.HastyStarts.class,
          "jobs_areHandedOutAheadOfTheirStart_oneIntervalApart(Bench)"),
      Map.entry(
          BrokenStores.ForgetfulLimits.class, "aRate_canBeChanged_andWhatWasUsedStaysUsed(Bench)"),
      Map.entry(
          BrokenStores.QueueLimitsOnly.class,
          "everyKindOfScope_isLimited_overItsLanes_andFreedByAnEnd(Bench)"),
      Map.entry(
          BrokenStores.ImpatientOrder.class, "aJobThatWaitsForItsRetry_holdsTheOthersUp(Bench)"),
      Map.entry(BrokenStores.DeafPage.class, "page_afterPage_showsEveryJobOnce(Bench)"));

  @TestFactory
  Stream<DynamicTest> fault_isNoticed_byItsCase_andNotByAll() {
    return NOTICED_BY.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(
            entry.getKey().getSimpleName(), () -> assertNoticed(entry.getKey(), entry.getValue())));
  }

  private static void assertNoticed(Class<?> contract, String by) {
    TestExecutionSummary summary = run(contract);
    assertThat(summary.getFailures())
        .extracting(failure -> failure.getTestIdentifier().getDisplayName())
        .contains(by);
    assertThat(summary.getTestsSucceededCount()).as("cases about other things").isPositive();
  }

  @Test
  void soundStore_passes() {
    TestExecutionSummary summary = run(BrokenStores.Sound.class);
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(10);
    assertThat(summary.getFailures()).isEmpty();
  }

  private static TestExecutionSummary run(Class<?> contract) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(contract))
        .build();
    LauncherConfig quiet = LauncherConfig.builder()
        .enableLauncherSessionListenerAutoRegistration(false)
        .enableTestExecutionListenerAutoRegistration(false)
        .build();
    LauncherFactory.create(quiet).execute(request, summary);
    return summary.getSummary();
  }
}
