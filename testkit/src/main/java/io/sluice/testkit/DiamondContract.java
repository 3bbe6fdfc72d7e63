package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.JobRecord;
import io.sluice.JobState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The table of outcomes of a diamond: B and C wait for A, D waits for both. Each row says the policy of
 * D, what becomes of the others, step by step, and after the arrow what D is after each step. A step is a
 * letter and what happens to that job; {@code replay} runs it again, {@code revive} also brings back what was
 * cancelled because of it. D {@code waits}, is {@code held} or {@code ready}, or is cancelled, for
 * the reason that is given.
 */
public interface DiamondContract extends StoreTopic {
  String OUTCOMES = """
      CANCEL    | B completed, C completed                          -> waits, ready
      CANCEL    | B completed, C dead                               -> waits, C is DEAD
      CANCEL    | B completed, C failed                             -> waits, C is FAILED
      CANCEL    | B completed, C cancelled                          -> waits, C is CANCELLED
      CANCEL    | B dead, C completed                               -> B is DEAD, B is DEAD
      CANCEL    | B dead, C dead                                    -> B is DEAD, B is DEAD
      CANCEL    | B failed, C completed                             -> B is FAILED, B is FAILED
      CANCEL    | B failed, C dead                                  -> B is FAILED, B is FAILED
      CANCEL    | B cancelled, C completed                          -> B is CANCELLED, B is CANCELLED
      CANCEL    | B cancelled, C dead                               -> B is CANCELLED, B is CANCELLED
      CANCEL    | B dead, C completed, B replay, B completed        -> B is DEAD, B is DEAD, B is DEAD, B is DEAD
      CANCEL    | B dead, C dead, B replay, B completed             -> B is DEAD, B is DEAD, B is DEAD, B is DEAD
      CANCEL    | B dead, B replay, B completed, C completed        -> B is DEAD, B is DEAD, B is DEAD, B is DEAD
      CANCEL    | B dead, C completed, B revive, B completed        -> B is DEAD, B is DEAD, waits, ready
      CANCEL    | B dead, C completed, B revive, B dead             -> B is DEAD, B is DEAD, waits, B is DEAD
      CANCEL    | B dead, C dead, B revive, B completed             -> B is DEAD, B is DEAD, B is DEAD, B is DEAD
      CANCEL    | B dead, B revive, B completed, C completed        -> B is DEAD, waits, waits, ready
      CANCEL    | B dead, B revive, C completed, B completed        -> B is DEAD, waits, waits, ready
      CANCEL    | B dead, B revive, B completed, C dead             -> B is DEAD, waits, waits, C is DEAD
      CANCEL    | B cancelled, C completed, B revive, B completed   -> B is CANCELLED, B is CANCELLED, waits, ready
      CANCEL    | B failed, C completed, B revive, B completed      -> B is FAILED, B is FAILED, waits, ready
      RUN       | B completed, C completed                          -> waits, ready
      RUN       | B completed, C dead                               -> waits, ready
      RUN       | B dead, C completed                               -> waits, ready
      RUN       | B dead, C dead                                    -> waits, ready
      RUN       | B failed, C completed                             -> waits, ready
      RUN       | B failed, C dead                                  -> waits, ready
      RUN       | B cancelled, C completed                          -> waits, ready
      RUN       | B cancelled, C dead                               -> waits, ready
      RUN       | B dead, C completed, B replay, B completed        -> waits, ready, ready, ready
      RUN       | B dead, C dead, B revive, B completed             -> waits, ready, ready, ready
      RUN       | B dead, B replay, C completed, B completed        -> waits, waits, waits, ready
      RUN       | B dead, B revive, B completed, C dead             -> waits, waits, waits, ready
      HOLD      | B completed, C completed                          -> waits, ready
      HOLD      | B completed, C dead                               -> waits, held
      HOLD      | B dead, C completed                               -> waits, held
      HOLD      | B dead, C dead                                    -> waits, held
      HOLD      | B failed, C completed                             -> waits, held
      HOLD      | B failed, C dead                                  -> waits, held
      HOLD      | B cancelled, C completed                          -> waits, held
      HOLD      | B cancelled, C dead                               -> waits, held
      HOLD      | B dead, C completed, B replay, B completed        -> waits, held, waits, ready
      HOLD      | B dead, C completed, B replay, B dead             -> waits, held, waits, held
      HOLD      | B dead, C dead, B replay, B completed             -> waits, held, waits, held
      HOLD      | B dead, C completed, B revive, B completed        -> waits, held, waits, ready
      HOLD      | B dead, B replay, B completed, C completed        -> waits, waits, waits, ready
      HOLD      | B dead, B revive, B completed, C dead             -> waits, waits, waits, held
      HOLD      | B dead, C dead, B replay, C replay, B completed, C completed -> waits, held, waits, waits, waits, ready
      IF_FAILED | B completed, C completed                          -> waits, all completed
      IF_FAILED | B completed, C dead                               -> waits, ready
      IF_FAILED | B dead, C completed                               -> waits, ready
      IF_FAILED | B dead, C dead                                    -> waits, ready
      IF_FAILED | B failed, C completed                             -> waits, ready
      IF_FAILED | B failed, C dead                                  -> waits, ready
      IF_FAILED | B cancelled, C completed                          -> waits, ready
      IF_FAILED | B cancelled, C dead                               -> waits, ready
      IF_FAILED | B dead, C completed, B replay, B completed        -> waits, ready, ready, ready
      IF_FAILED | B dead, B replay, B completed, C completed        -> waits, waits, waits, all completed
      IF_FAILED | B dead, B revive, B completed, C dead             -> waits, waits, waits, ready
      """;

  /** What becomes of B, by its own policy, and of D, which runs all the same, when A ends. */
  String BEGINNINGS = """
      CANCEL    | A completed            -> ready, waits
      CANCEL    | A dead                 -> A is DEAD, waits
      CANCEL    | A failed               -> A is FAILED, waits
      CANCEL    | A cancelled            -> A is CANCELLED, waits
      CANCEL    | A dead, A replay       -> A is DEAD, waits
      CANCEL    | A dead, A revive       -> waits, waits
      RUN       | A completed            -> ready, waits
      RUN       | A dead                 -> ready, waits
      RUN       | A failed               -> ready, waits
      RUN       | A cancelled            -> ready, waits
      HOLD      | A completed            -> ready, waits
      HOLD      | A dead                 -> held, waits
      HOLD      | A failed               -> held, waits
      HOLD      | A cancelled            -> held, waits
      HOLD      | A dead, A replay       -> waits, waits
      IF_FAILED | A completed            -> all completed, waits
      IF_FAILED | A dead                 -> ready, waits
      IF_FAILED | A failed               -> ready, waits
      IF_FAILED | A cancelled            -> ready, waits
      """;

  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD) // its tests share a store and a clock
  default Stream<DynamicTest> outcome_ofADiamond(Bench bench) {
    return rows(OUTCOMES)
        .map(row -> DynamicTest.dynamicTest(row.text(), () -> {
          Diamond diamond = Diamond.of(bench, row, AfterPolicy.CANCEL, row.policy());
          diamond.step("A completed");
          assertThat(diamond.standing("D")).isEqualTo("waits");
          for (int i = 0; i < row.steps().size(); i++) {
            diamond.step(row.steps().get(i));
            assertThat(diamond.standing("D"))
                .as(row.steps().get(i))
                .isEqualTo(row.told().get(i));
          }
        }));
  }

  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD) // its tests share a store and a clock
  default Stream<DynamicTest> beginning_ofADiamond(Bench bench) {
    return rows(BEGINNINGS)
        .map(row -> DynamicTest.dynamicTest(row.text(), () -> {
          Diamond diamond = Diamond.of(bench, row, row.policy(), AfterPolicy.RUN);
          row.steps().forEach(diamond::step);
          assertThat(diamond.standing("B")).isEqualTo(row.told().get(0));
          assertThat(diamond.standing("D")).isEqualTo(row.told().get(1));
        }));
  }

  private static Stream<Row> rows(String table) {
    return table.lines().map(Row::of);
  }

  /** A row of the table. */
  record Row(String text, AfterPolicy policy, List<String> steps, List<String> told) {
    static Row of(String line) {
      String[] halves = line.split("->", -1);
      String[] left = halves[0].split("\\|", -1);
      return new Row(
          line.replaceAll(" +", " "),
          AfterPolicy.valueOf(left[0].strip()),
          items(left[1]),
          items(halves[1]));
    }

    private static List<String> items(String text) {
      return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
  }

  /** A diamond in a tenant of its own: what one leaves behind is in no other's lane. */
  record Diamond(Bench bench, Map<String, UUID> jobs) {
    static Diamond of(Bench bench, Row row, AfterPolicy ofB, AfterPolicy ofD) {
      Draft draft = Draft.job().tenant("t" + Integer.toHexString(row.text().hashCode()));
      Map<String, UUID> jobs = new HashMap<>();
      UUID a = bench.add(draft.type("a"));
      UUID b = bench.add(draft.type("b").after("a", a).policy(ofB));
      UUID c = bench.add(draft.type("c").after("a", a).policy(AfterPolicy.HOLD));
      UUID d = bench.add(draft.type("d").after("b", b).after("c", c).policy(ofD));
      jobs.putAll(Map.of("A", a, "B", b, "C", c, "D", d));
      return new Diamond(bench, jobs);
    }

    private UUID job(String name) {
      return Objects.requireNonNull(jobs.get(name));
    }

    void step(String text) {
      UUID job = job(text.substring(0, 1));
      String what = text.substring(2);
      switch (what) {
        case "cancelled" -> bench.store().cancel(job, "not wanted", Verdicts.KEEP);
        case "replay" -> assertThat(bench.store().replay(job)).isTrue();
        case "revive" -> assertThat(bench.links().revive(job)).startsWith(job);
        default -> bench.end(job, JobState.valueOf(what.toUpperCase(Locale.ROOT)));
      }
    }

    /** What a job is, in the words of the table. */
    String standing(String name) {
      JobRecord record = bench.find(job(name));
      return switch (record.state()) {
        case PENDING -> "ready";
        case CANCELLED -> told(Objects.requireNonNull(record.status().reason()));
        case SCHEDULED -> {
          assertThat(record.status().runAt()).isNull();
          yield missing(record.id()) > 0 ? "waits" : "held";
        }
        default -> record.state().name();
      };
    }

    private int missing(UUID job) {
      return bench.links().graph(job, 10).orElseThrow().nodes().stream()
          .filter(node -> node.id().equals(job))
          .mapToInt(Graph.Node::missing)
          .findFirst()
          .orElseThrow();
    }

    private String told(String reason) {
      for (Map.Entry<String, UUID> job : jobs.entrySet()) {
        String start = "job " + job.getValue() + ", which it waits for, ";
        if (reason.startsWith(start)) {
          return job.getKey() + " " + reason.substring(start.length());
        }
      }
      return reason.equals("all that it waits for completed") ? "all completed" : reason;
    }
  }
}
