package io.sluice.server.job;

import io.sluice.JobFilter;
import java.util.List;
import java.util.UUID;

/** The jobs that a bulk call is about: those with these ids, or where there are none, those that fit the filter. */
record BulkSelection(JobFilter filter, List<UUID> ids) {}
