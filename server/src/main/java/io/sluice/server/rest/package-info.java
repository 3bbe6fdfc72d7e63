/**
 * What every REST resource stands on: a table of routes, each with what it asks of its caller, and
 * one way in and out for all of them. Resources see a {@link io.sluice.server.rest.Call} and return an
 * {@link io.sluice.server.rest.Answer}; only {@link io.sluice.server.rest.RestServer} knows the web
 * server.
 */
@NullMarked
package io.sluice.server.rest;

import org.jspecify.annotations.NullMarked;
