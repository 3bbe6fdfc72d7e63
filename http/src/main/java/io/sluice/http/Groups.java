package io.sluice.http;

import java.util.Optional;

/** Where groups of URLs are found. */
@FunctionalInterface
public interface Groups {
  Optional<Group> find(String tenant, String name);
}
