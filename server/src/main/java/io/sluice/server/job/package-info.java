/** Jobs over REST: in, out, listed, cancelled, and dead. */
@NullMarked
package io.sluice.server.job;

import org.jspecify.annotations.NullMarked;
