/** Who calls, and what they may do. */
@NullMarked
package io.sluice.server.access;

import org.jspecify.annotations.NullMarked;
