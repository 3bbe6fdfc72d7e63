/**
 * What every REST resource stands on: a table of routes, each with what it asks of its caller, and
 * one way in and out for all of them. Resources see a {@link io.sluice.server.rest.Call} and return an
 * {@link io.sluice.server.rest.Answer}; {@link io.sluice.server.rest.RestServer} has them from the web
 * server, behind the filters of {@link io.sluice.server.listener}.
 */
@NullMarked
package io.sluice.server.rest;

import org.jspecify.annotations.NullMarked;
