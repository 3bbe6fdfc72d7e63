/** Tokens that callers carry and cannot make or change. */
@NullMarked
package io.sluice.server.seal;

import org.jspecify.annotations.NullMarked;
