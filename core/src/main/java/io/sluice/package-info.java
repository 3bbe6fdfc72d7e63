/** What users of Sluice see: jobs, handlers, outcomes, and the engine's front door. */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
