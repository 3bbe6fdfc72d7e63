package io.sluice;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What binds a job to others: those it waits for, what happens when one of them fails, and its batch. */
public record Ties(List<Predecessor> after, AfterPolicy policy, @Nullable UUID batch) {
  public static final Ties NONE = new Ties(List.of(), AfterPolicy.CANCEL, null);

  public Ties {
    after = List.copyOf(after);
  }

  public boolean waits() {
    return !after.isEmpty();
  }

  public Ties in(@Nullable UUID value) {
    return new Ties(after, policy, value);
  }
}
