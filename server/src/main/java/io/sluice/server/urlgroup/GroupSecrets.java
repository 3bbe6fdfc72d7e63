package io.sluice.server.urlgroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of a group in the clear: the one of its auth, the values of its headers that are
 * credentials by name, and those it signs with, the newest first.
 */
record GroupSecrets(@Nullable String auth, Map<String, String> headers, List<String> signing) {
  static final GroupSecrets NONE = new GroupSecrets(null, Map.of(), List.of());

  GroupSecrets {
    Map<String, String> lower = new TreeMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    headers = lower;
    signing = List.copyOf(signing);
  }

  @Nullable
  String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** Which of these are others than before, in words and without a secret. */
  List<String> differences(GroupSecrets before) {
    List<String> found = new ArrayList<>();
    if (auth != null && before.auth != null && !auth.equals(before.auth)) {
      found.add("the secret of auth changed");
    }
    headers.forEach((name, value) -> {
      String was = before.headers.get(name);
      if (was != null && !was.equals(value)) {
        found.add("the value of defaultHeaders." + name + " changed");
      }
    });
    if (!before.signing.isEmpty() && !signing.equals(before.signing)) {
      found.add("signing secrets changed");
    }
    return found;
  }

  /** How many there are of each, and none of them. */
  @Override
  public String toString() {
    return "GroupSecrets[" + (auth == null ? 0 : 1) + ", " + headers.size() + ", " + signing.size()
        + "]";
  }
}
