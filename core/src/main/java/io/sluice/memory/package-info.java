/** The store that keeps its jobs in memory, and in a file between runs. */
@NullMarked
package io.sluice.memory;

import org.jspecify.annotations.NullMarked;
