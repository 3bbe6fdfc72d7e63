/** The store that keeps jobs in PostgreSQL. */
@NullMarked
package io.sluice.postgres;

import org.jspecify.annotations.NullMarked;
