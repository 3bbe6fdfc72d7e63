/**
 * Secrets at rest. A {@link io.sluice.server.secret.Vault} seals each text with the data key of its
 * tenant, bound to the place it is kept at; data keys are kept in the database, wrapped under the
 * {@link io.sluice.server.secret.MasterKey}, which is not.
 */
@NullMarked
package io.sluice.server.secret;

import org.jspecify.annotations.NullMarked;
