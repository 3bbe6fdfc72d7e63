/**
 * The port, and what comes between it and the web server's HTTP: connections are counted and bounded, slow
 * ones are ended, and of every request the head is checked and the body framed anew. The web server sees
 * only requests that are well formed, in pieces of a few KiB.
 */
@NullMarked
package io.sluice.server.listener;

import org.jspecify.annotations.NullMarked;
