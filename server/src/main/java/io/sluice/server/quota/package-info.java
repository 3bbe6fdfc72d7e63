/** Quotas: how many things of each kind a tenant may have, and who holds it to that. */
@NullMarked
package io.sluice.server.quota;

import org.jspecify.annotations.NullMarked;
