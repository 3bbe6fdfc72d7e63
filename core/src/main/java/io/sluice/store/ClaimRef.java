package io.sluice.store;

import java.util.UUID;

/**
 * The fencing token of one claim: a job, the number of its turn, and the worker. Turns only grow, so a
 * token never fits a later claim of the same job. Where a store went back to an earlier state, by a failover
 * or from a backup, turns are counted again, but by other workers: no id of a worker is given twice.
 */
public record ClaimRef(UUID job, int turn, long worker) {}
