/** Circuit breakers over REST: those of job types, and what those of URL groups share with them. */
@NullMarked
package io.sluice.server.breaker;

import org.jspecify.annotations.NullMarked;
