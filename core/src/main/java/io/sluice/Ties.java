package io.sluice;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What binds a job to others: those it waits for, what happens when one of them fails, and its batch. */
public record Ties(
    List<Predecessor> after, AfterPolicy policy, @Nullable UUID batch) {
  public static final Ties NONE = new Ties(List.of(), AfterPolicy.CANCEL, null);

  public Ties {
    after = List.copyOf(after);
    if (after.size() > Defaults.MAX_AFTER) {
      throw SluiceException.invalid(
          "after", "must name at most %d, was %d".formatted(Defaults.MAX_AFTER, after.size()));
    }
    if (after.size() > 1) {
      requireEachOnce(after);
    }
  }

  private static void requireEachOnce(List<Predecessor> after) {
    Set<UUID> ids = HashSet.newHashSet(after.size());
    Set<String> names = HashSet.newHashSet(after.size());
    for (Predecessor one : after) {
      if (!ids.add(one.id())) {
        throw SluiceException.invalid(
            "after", "must name each once, and names " + one.id() + " twice");
      }
      if (!names.add(one.name())) {
        throw SluiceException.invalid(
            "after", "must give each a name of its own, and two are '" + one.name() + "'");
      }
    }
  }

  public boolean waits() {
    return !after.isEmpty();
  }

  public Ties in(@Nullable UUID value) {
    return new Ties(after, policy, value);
  }
}
