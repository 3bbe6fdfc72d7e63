/** API keys: how they look, who they belong to, and their end. */
@NullMarked
package io.sluice.server.keys;

import org.jspecify.annotations.NullMarked;
