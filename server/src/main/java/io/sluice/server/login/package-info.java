/** The ways to show who one is: the server's own key, an API key, a token of somebody else's. */
@NullMarked
package io.sluice.server.login;

import org.jspecify.annotations.NullMarked;
