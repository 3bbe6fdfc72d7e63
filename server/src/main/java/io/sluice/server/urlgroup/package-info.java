/** URL groups: what many HTTP jobs share, kept with its secrets sealed, and handed to the delivery. */
@NullMarked
package io.sluice.server.urlgroup;

import org.jspecify.annotations.NullMarked;
