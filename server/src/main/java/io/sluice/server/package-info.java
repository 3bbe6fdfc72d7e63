/** The server: puts engine, store, delivery and REST together, starts them and stops them in order. */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
