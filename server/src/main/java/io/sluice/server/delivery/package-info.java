/**
 * HTTP delivery as the server does it: the handler of the http module with the server's groups, its
 * guard, its sealed secrets, and callbacks that no crash loses.
 */
@NullMarked
package io.sluice.server.delivery;

import org.jspecify.annotations.NullMarked;
