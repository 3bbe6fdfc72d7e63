package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of moves, and what the documentation says of it. */
class JobStateTest {
  private static final Path STATES = Path.of("..", "docs", "states.md");
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z]+)` \\| ([^|]*) \\|.*");
  private static final Pattern ARROW = Pattern.compile(" *([A-Z]+) --> ([A-Z]+).*");

  private static Map<JobState, Set<JobState>> moves() {
    Map<JobState, Set<JobState>> moves = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      moves.put(state, state.next());
    }
    return moves;
  }

  @Test
  void tableInTheDocumentation_isTheTableInTheCode() throws IOException {
    Map<JobState, Set<JobState>> told = new EnumMap<>(JobState.class);
    for (String line : Files.readAllLines(STATES)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        told.put(JobState.valueOf(row.group(1)), named(row.group(2)));
      }
    }
    assertThat(told).isEqualTo(moves());
  }

  private static Set<JobState> named(String cell) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    Arrays.stream(cell.split(","))
        .map(s -> s.replace('`', ' ').strip())
        .filter(s -> !s.equals("none"))
        .forEach(s -> states.add(JobState.valueOf(s)));
    return states;
  }

  @Test
  void pictureInTheDocumentation_isTheTableInTheCode() throws IOException {
    Map<JobState, Set<JobState>> drawn = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      drawn.put(state, EnumSet.noneOf(JobState.class));
    }
    for (String line : Files.readAllLines(STATES)) {
      Matcher arrow = ARROW.matcher(line);
      if (arrow.matches()) {
        drawn
            .getOrDefault(JobState.valueOf(arrow.group(1)), EnumSet.noneOf(JobState.class))
            .add(JobState.valueOf(arrow.group(2)));
      }
    }
    assertThat(drawn).isEqualTo(moves());
  }

  @Test
  void endStates_areLeftOnlyByReplay() {
    List<JobState> ends =
        Arrays.stream(JobState.values()).filter(JobState::isFinal).toList();
    assertThat(ends)
        .containsExactly(JobState.COMPLETED, JobState.FAILED, JobState.DEAD, JobState.CANCELLED);
    assertThat(ends.stream().filter(JobState::isReplayable))
        .containsExactly(JobState.FAILED, JobState.DEAD, JobState.CANCELLED);
    assertThat(JobState.COMPLETED.next()).isEmpty();
  }
}
