package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.postgres.ScaleTable.Figures;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Nothing that a store does every day costs more where ten times as many finished jobs are kept. Blocks are
 * asserted; the times, which depend on the machine, are only printed.
 */
@Tag("long")
@Tag("scale")
@Isolated("blocks are counted, and time is taken")
class ScaleTest {
  private static final int FEWEST = 2_000_000;
  private static final int MOST = 20_000_000;
  /** An index with ten times the entries may have one more level. */
  private static final double MOST_GROWTH = 1.4;

  /** Blocks that two takings may differ by for reasons of their own. */
  private static final long NOISE = 60;

  @Test
  void operations_readNoMoreBlocks_whereTenTimesAsManyFinishedJobsAreKept() throws Exception {
    ScaleTable table = new ScaleTable();
    for (int finished : new int[] {FEWEST, 6_000_000, MOST}) {
      try (ScaleLab lab = new ScaleLab(finished)) {
        table.add(finished, lab.measure());
      }
    }
    System.out.println(table.markdown());
    Map<String, Figures> few = table.of(FEWEST);
    Map<String, Figures> many = table.of(MOST);
    few.forEach((operation, figures) -> assertThat(many.get(operation).blocks())
        .as(operation + " beside " + figures.blocks() + " blocks")
        .isLessThanOrEqualTo((long) (figures.blocks() * MOST_GROWTH) + NOISE));
  }
}
