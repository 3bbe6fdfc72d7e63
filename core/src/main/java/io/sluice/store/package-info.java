/** What a store must do for the engine: the interface, and the records that go through it. */
@NullMarked
package io.sluice.store;

import org.jspecify.annotations.NullMarked;
