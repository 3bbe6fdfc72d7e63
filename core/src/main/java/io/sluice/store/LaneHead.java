package io.sluice.store;

import io.sluice.Lane;
import java.util.UUID;

/** A lane that has ready work of a priority, and the first job of it. */
public record LaneHead(int laneId, Lane lane, int priority, UUID first) {}
