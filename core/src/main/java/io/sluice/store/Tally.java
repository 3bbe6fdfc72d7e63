package io.sluice.store;

import io.sluice.Breaker;
import io.sluice.Scope;

/** The calls of a scope in the window of a breaker, since it is in the state of this version. */
public record Tally(Scope scope, long version, Breaker.Calls calls) {}
