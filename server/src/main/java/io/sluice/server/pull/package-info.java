/** Workers that come over HTTP for their jobs. */
@NullMarked
package io.sluice.server.pull;

import org.jspecify.annotations.NullMarked;
