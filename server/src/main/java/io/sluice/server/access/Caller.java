package io.sluice.server.access;

/** Whoever made a request, as its credential says: nothing else of the request is believed. */
public record Caller(String tenant, Role role, String id) {}
