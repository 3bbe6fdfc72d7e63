package io.sluice.store;

import java.util.Set;

/**
 * Which lanes to look at: the first {@code max} that have ready work and a greater number than {@code
 * after}, by their numbers, and {@code also} these wherever they are.
 */
public record Look(int after, int max, Set<Integer> also) {
  public static final Look ALL = new Look(0, Integer.MAX_VALUE, Set.of());

  public Look {
    also = Set.copyOf(also);
  }
}
