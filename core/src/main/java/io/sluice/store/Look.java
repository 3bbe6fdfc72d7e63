package io.sluice.store;

import java.util.Set;

/**
 * Which lanes to look at: about {@code max} of those that have ready work, by their numbers from the one
 * after {@code after} on, and {@code also} these wherever they are. With a {@code max} of 0 it is those alone, and
 * the look goes no further than {@code after}.
 */
public record Look(int after, int max, Set<Integer> also) {
  public static final Look ALL = new Look(0, Integer.MAX_VALUE, Set.of());

  public Look {
    also = Set.copyOf(also);
  }
}
