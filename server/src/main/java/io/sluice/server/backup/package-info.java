/**
 * A whole schema in one file and back: every table as it was at one moment, read while servers work on
 * it, and put into an empty place or not at all.
 */
@NullMarked
package io.sluice.server.backup;

import org.jspecify.annotations.NullMarked;
