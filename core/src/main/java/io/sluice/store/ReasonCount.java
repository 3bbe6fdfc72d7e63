package io.sluice.store;

/** How many dead letters there are for one reason. */
public record ReasonCount(String reason, long jobs) {}
