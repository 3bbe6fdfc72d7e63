package io.sluice;

import java.util.List;

/** Whether an engine is well, and in words what is wrong or about to be. */
public record Health(boolean healthy, List<String> problems, List<String> alerts) {
  public Health {
    problems = List.copyOf(problems);
    alerts = List.copyOf(alerts);
  }
}
