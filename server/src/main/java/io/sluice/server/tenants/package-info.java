/** Whom the server serves: tenants, their limits, what they used, and the end of one. */
@NullMarked
package io.sluice.server.tenants;

import org.jspecify.annotations.NullMarked;
