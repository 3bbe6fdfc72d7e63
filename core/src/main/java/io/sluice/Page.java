package io.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some items of a list, newest first, and the cursor of those that follow, or null at its end. */
public record Page<T>(List<T> items, @Nullable String nextCursor) {
  public Page {
    items = List.copyOf(items);
  }
}
