package io.sluice.server;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What SIGTERM and SIGINT do: the first asks for a stop in order, which ends with code 0 where the JVM's
 * own answer would be 143, the second ends the process at once.
 */
final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
  private static final List<String> NAMES = List.of("TERM", "INT");
  private static final int AT_ONCE = 130;

  private final AtomicBoolean asked = new AtomicBoolean();

  private Signals() {}

  static void handle() {
    Signals signals = new Signals();
    NAMES.forEach(signals::handle);
  }

  /** Found by name because javac has a warning for this class that nothing silences. */
  private void handle(String name) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours = Proxy.newProxyInstance(
          Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
            came(name);
            return null;
          });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("SIG{} is left to the JVM", name, e);
    }
  }

  private void came(String name) {
    if (asked.compareAndSet(false, true)) {
      LOG.info("SIG{}: stopping", name);
      Thread.ofPlatform().name("stop").start(() -> System.exit(0));
    } else {
      Runtime.getRuntime().halt(AT_ONCE);
    }
  }
}
