/** The store contracts and test tools of Sluice, for its own tests and for those of its users. */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
