/** Two builds side by side: how fast one is as a multiple of the other, with a confidence interval. */
@NullMarked
package io.sluice.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
