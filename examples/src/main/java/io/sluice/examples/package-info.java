/** One file per idea, each compiled and run by a test. */
@NullMarked
package io.sluice.examples;

import org.jspecify.annotations.NullMarked;
