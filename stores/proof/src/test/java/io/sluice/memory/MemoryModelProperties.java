package io.sluice.memory;

import io.sluice.testkit.ManualClock;
import io.sluice.testkit.ModelRun;
import io.sluice.testkit.ModelRun.Step;
import io.sluice.testkit.StoreLab;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** The store in memory does what the model does, whatever is done to it. */
class MemoryModelProperties {
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void store_isLikeTheModel(@ForAll("walks") List<Step> steps) {
    walk(steps);
  }

  @Tag("long")
  @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
  void store_isLikeTheModel_inLongWalks(@ForAll("walks") List<Step> steps) {
    walk(steps);
  }

  private static void walk(List<Step> steps) {
    ManualClock clock = new ManualClock();
    ModelRun.walk(StoreLab.of(MemoryStore.builder().clock(clock).build(), clock), steps);
  }

  @Provide
  Arbitrary<List<Step>> walks() {
    return Combinators.combine(
            Arbitraries.of(ModelRun.MOVES),
            Arbitraries.integers().between(0, 7),
            Arbitraries.integers().between(0, 41))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(80);
  }
}
