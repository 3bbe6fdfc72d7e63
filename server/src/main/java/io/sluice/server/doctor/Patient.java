package io.sluice.server.doctor;

import io.sluice.server.config.Config;
import io.sluice.server.config.Settings;
import io.sluice.server.listener.Descriptors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A set-up to be looked at: its settings, what is known to be wrong with them, and what it needs. */
public record Patient(Settings settings, List<String> problems, Needs needs, InstantSource clock) {
  public Patient {
    problems = List.copyOf(problems);
  }

  /**
   * What a server needs of its surroundings.
   *
   * @param migrations the version that each part of the schema is brought to
   * @param connections how many one process may take of the database
   * @param freeBytes below this the disk is nearly full
   * @param openFor a transaction that is open longer is in the way
   * @param descriptors how many files and sockets one process may have open, if the system says
   */
  public record Needs(
      Runtime.Version java,
      Map<String, Integer> migrations,
      int connections,
      long freeBytes,
      Duration openFor,
      OptionalLong descriptors) {
    private static final long FREE_BYTES = 1L << 30;
    private static final Duration OPEN_FOR = Duration.ofMinutes(10);

    public Needs {
      migrations = Map.copyOf(migrations);
    }

    /** Those of this program, on the JVM that it runs on. */
    public Needs(Map<String, Integer> migrations, int connections) {
      this(Runtime.version(), migrations, connections, FREE_BYTES, OPEN_FOR, Descriptors.limit());
    }
  }

  Config config() {
    return settings.read();
  }
}
