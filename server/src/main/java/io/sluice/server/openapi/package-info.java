/** The description of the API that the server hands out. */
@NullMarked
package io.sluice.server.openapi;

import org.jspecify.annotations.NullMarked;
