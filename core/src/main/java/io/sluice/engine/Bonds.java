package io.sluice.engine;

import io.sluice.AfterPolicy;
import io.sluice.BatchRecord;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.engine.Facts.Before;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a job waits for that waits for others, or because of which of them it is held. */
final class Bonds {
  private final AfterPolicy policy;
  private final List<Before> before;
  private final List<Before> open;
  private final List<Before> failed;

  Bonds(Facts facts) {
    this.policy = facts.job().spec().ties().policy();
    this.before = facts.turn().before();
    this.open = before.stream().filter(Before::isOpen).toList();
    this.failed = before.stream().filter(Before::isFailed).toList();
  }

  Reason reason() {
    if (!open.isEmpty()) {
      return waits();
    }
    if (policy != AfterPolicy.HOLD) {
      return moves();
    }
    if (!failed.isEmpty()) {
      return held();
    }
    // With all completed it would run: one of those that nobody knows any more did not.
    return before.stream().anyMatch(b -> b.known().state() == null)
        ? heldByOneThatIsGone()
        : moves();
  }

  private Reason waits() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("open", open.size());
    details.put("of", before.size());
    details.put("waitsFor", told(open));
    details.put("policy", policy);
    return new Reason(ReasonCode.WAITS_FOR, "It waits for " + those() + ".", null, then(), details);
  }

  private String those() {
    Before first = open.getFirst();
    if (before.size() == 1) {
      return noun(first) + " " + first.known().id()
          + (first.batch() == null ? ", which is " : ", of which ") + state(first);
    }
    boolean batches = open.stream().anyMatch(b -> b.batch() != null);
    List<String> shown = open.stream()
        .limit(Words.FEW)
        .map(b -> (batches ? noun(b) + " " : "") + b.known().id() + " (" + state(b) + ")")
        .toList();
    return Words.number(open.size()) + " of " + Words.number(before.size())
        + (batches ? " jobs and batches: " : " jobs: ") + Words.row(shown, open.size());
  }

  private static String state(Before before) {
    BatchRecord batch = before.batch();
    return batch == null
        ? String.valueOf(before.known().state())
        : Words.number(batch.counts().over()) + " of "
            + Words.number(batch.counts().total()) + " are over";
  }

  private static String noun(Before before) {
    return before.batch() == null ? "job" : "batch";
  }

  private String then() {
    return switch (policy) {
      case CANCEL ->
        "It becomes ready when all that it waits for has completed, and is cancelled when one of it does not.";
      case RUN -> "It becomes ready when all that it waits for is over.";
      case HOLD ->
        "It becomes ready when all that it waits for has completed, and is held when one of it does not.";
      case IF_FAILED ->
        "It becomes ready when all that it waits for is over and one of it did not complete; it is"
            + " cancelled when all completed.";
    };
  }

  private Reason held() {
    List<String> because = failed.stream()
        .limit(Words.FEW)
        .map(b ->
            noun(b) + " " + b.known().id() + (b.batch() == null ? " is " + state(b) : " failed"))
        .toList();
    int more = failed.size() - because.size();
    return new Reason(
        ReasonCode.HELD,
        "It is held because " + Words.list(because)
            + (more == 0 ? "" : ", and " + Words.number(more) + " more did not complete") + ".",
        null,
        failed.size() == 1
            ? "Retry it to run it all the same, or retry " + whatFailed()
            : "Retry it to run it all the same, or retry those: it runs when they have completed.",
        Map.of("failed", told(failed)));
  }

  private static Reason heldByOneThatIsGone() {
    return new Reason(
        ReasonCode.HELD,
        "It is held because one that it waited for did not complete, and is not kept any more.",
        null,
        "Retry it to run it all the same.",
        Map.of("failed", List.of()));
  }

  private String whatFailed() {
    return failed.getFirst().batch() == null
        ? "that job: it runs when that one has completed."
        : "what failed in that batch.";
  }

  private static Reason moves() {
    return new Reason(
        ReasonCode.WAITS_FOR,
        "All that it waited for is over, and it is about to be made ready.",
        null,
        "It becomes ready within a moment.",
        Map.of());
  }

  /** The first few for programs. */
  private static List<Map<String, Object>> told(List<Before> those) {
    return those.stream()
        .limit(Words.FEW)
        .map(b -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("id", b.known().id());
          one.put("name", b.known().name());
          one.put("kind", noun(b));
          one.put("state", String.valueOf(b.known().state()));
          return one;
        })
        .toList();
  }
}
