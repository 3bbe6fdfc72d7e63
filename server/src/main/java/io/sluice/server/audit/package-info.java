/** The record of who changed what. */
@NullMarked
package io.sluice.server.audit;

import org.jspecify.annotations.NullMarked;
