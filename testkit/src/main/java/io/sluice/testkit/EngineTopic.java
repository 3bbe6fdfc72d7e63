package io.sluice.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One topic of the engine contract. Its cases are default test methods that take a {@link Rig}, on
 * which they start engines; the store comes from {@link #lab}.
 */
@ExtendWith(Rigs.class)
public interface EngineTopic {
  /** Makes a fresh lab; called once for each test method. */
  EngineLab lab();
}
