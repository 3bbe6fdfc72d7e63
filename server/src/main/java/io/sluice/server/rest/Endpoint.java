package io.sluice.server.rest;

/** What a route does. */
@FunctionalInterface
public interface Endpoint {
  Answer handle(Call call);
}
