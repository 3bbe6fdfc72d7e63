/** Measures Sluice and, in the same run, a yardstick. Never published. */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
