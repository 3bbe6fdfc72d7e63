/** Whether a server lives, serves and keeps up: three routes that need no credential. */
@NullMarked
package io.sluice.server.health;

import org.jspecify.annotations.NullMarked;
