/** Queues over REST. */
@NullMarked
package io.sluice.server.queue;

import org.jspecify.annotations.NullMarked;
