/** What a server counts and measures, in the form that Prometheus reads. */
@NullMarked
package io.sluice.server.metrics;

import org.jspecify.annotations.NullMarked;
