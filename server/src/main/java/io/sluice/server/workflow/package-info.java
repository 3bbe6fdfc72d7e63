/** Jobs that hang together: batches, and the graph of what waits for what. */
@NullMarked
package io.sluice.server.workflow;

import org.jspecify.annotations.NullMarked;
