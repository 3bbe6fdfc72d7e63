package io.sluice.server;

import io.sluice.SluiceException;
import io.sluice.embedded.EmbeddedPostgresException;
import io.sluice.server.rest.Problem;
import java.io.IOException;
import java.util.Optional;

/** Why a server could not start, in one line for the person who started it. */
final class Trouble {
  private Trouble() {}

  static String words(Throwable problem) {
    return switch (problem) {
      case SluiceException e -> oneLine(Problem.detail(e));
      case EmbeddedPostgresException e -> embedded(e);
      default -> firstLine(problem) + " (--verbose shows where)";
    };
  }

  private static String embedded(EmbeddedPostgresException e) {
    String more = find(e, IOException.class).map(cause -> ": " + cause).orElse("");
    return oneLine(firstLine(e) + more);
  }

  private static <T extends Throwable> Optional<T> find(Throwable problem, Class<T> type) {
    for (Throwable at = problem; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return Optional.of(type.cast(at));
      }
    }
    return Optional.empty();
  }

  private static String firstLine(Throwable problem) {
    String message = problem.getMessage();
    return message == null
        ? problem.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R+", " ");
  }
}
