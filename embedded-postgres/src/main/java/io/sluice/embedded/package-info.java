/** A real PostgreSQL server, started from the class path and owned by this process. */
@NullMarked
package io.sluice.embedded;

import org.jspecify.annotations.NullMarked;
