/** Figures of the whole, and who works on it. */
@NullMarked
package io.sluice.server.stats;

import org.jspecify.annotations.NullMarked;
