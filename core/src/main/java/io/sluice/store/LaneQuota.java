package io.sluice.store;

/** How many jobs of one lane and priority a claim may take. */
public record LaneQuota(int laneId, int priority, int quota) {}
