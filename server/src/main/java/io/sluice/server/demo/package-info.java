/** A server with something to do: a receiver of many moods, traffic for it, and a worker. */
@NullMarked
package io.sluice.server.demo;

import org.jspecify.annotations.NullMarked;
