package io.sluice.server.rest;

/** What is wrong with one field of a request: its path, as in {@code jobs[3].retry.jitter}, and why. */
public record FieldError(String field, String message) {}
