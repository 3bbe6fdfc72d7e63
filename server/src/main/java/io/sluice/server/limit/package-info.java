/** Limits over REST, and their way from what tenants, queues and URL groups say to the store that keeps to them. */
@NullMarked
package io.sluice.server.limit;

import org.jspecify.annotations.NullMarked;
