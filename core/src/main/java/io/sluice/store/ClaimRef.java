package io.sluice.store;

import java.util.UUID;

/**
 * The fencing token of one claim: a job and the number of its turn. Turns only grow, so a token never
 * fits a later claim of the same job.
 */
public record ClaimRef(UUID job, int turn) {}
