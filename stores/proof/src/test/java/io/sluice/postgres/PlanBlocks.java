package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that a statement touched, as its plan reports them. Other tests change the catalog, which every
 * connection then reads again, and those blocks are counted too: a statement that touched too many runs again.
 */
final class PlanBlocks {
  private static final Pattern BUFFERS =
      Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");
  private static final int RUNS = 10;

  /** A statement that is run and rolled back. */
  interface Explained {
    String plan() throws SQLException;
  }

  private PlanBlocks() {}

  /** The blocks of the whole statement, from the first line of the plan that reports some; none where it touched none. */
  static int of(String plan) {
    Matcher found = BUFFERS.matcher(plan);
    return found.find() ? number(found.group(1)) + number(found.group(2)) : 0;
  }

  private static int number(@Nullable String text) {
    return text == null ? 0 : Integer.parseInt(text);
  }

  /** The plan of the first run that touches fewer blocks than this. */
  static String assertFewer(int most, String what, Explained statement) throws SQLException {
    String plan = statement.plan();
    for (int run = 1; of(plan) >= most && run < RUNS; run++) {
      plan = statement.plan();
    }
    assertThat(of(plan)).as(what + "\n" + plan).isLessThan(most);
    return plan;
  }

  /** The least of some runs. */
  static int least(Explained statement) throws SQLException {
    int least = of(statement.plan());
    for (int run = 1; run < RUNS; run++) {
      least = Math.min(least, of(statement.plan()));
    }
    return least;
  }
}
