/**
 * The program {@code sluice}: the tree that every command hangs in, and the commands that speak to a
 * server, over REST alone.
 */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
