package io.sluice.store;

/** The end of one claim. It takes effect only while that claim stands. */
public record Finish(ClaimRef ref, Verdict verdict) {}
