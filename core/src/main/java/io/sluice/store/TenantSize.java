package io.sluice.store;

/**
 * The exact number of unfinished jobs of a tenant that is capped, in all its queues, and a count that
 * grows by one with every job of it that ends.
 */
public record TenantSize(String tenant, long unfinished, TenantCap cap, long ended) {}
