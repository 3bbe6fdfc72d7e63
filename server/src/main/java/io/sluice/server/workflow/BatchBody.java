package io.sluice.server.workflow;

import io.sluice.server.job.JobBody;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A new batch as its producer sends it; its jobs may wait for each other by their names. */
record BatchBody(
    @Nullable String name,
    @Nullable String idempotencyKey,
    @Nullable Boolean open,
    @Nullable UUID parent,
    @Nullable List<@Nullable JobBody> jobs,
    @Nullable JobBody callback) {}
