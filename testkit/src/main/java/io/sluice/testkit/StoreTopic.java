package io.sluice.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One topic of the store contract. Its cases are default test methods that take a {@link Bench} with
 * an empty store on it; what they need to know of the store comes from {@link #lab}.
 */
@ExtendWith(Benches.class)
public interface StoreTopic {
  /** Makes a fresh lab; called once for each test method. */
  StoreLab lab();
}
