package io.sluice.memory;

/** The claim a job runs under: by whom, and whether its start was noted. */
record Hold(WorkerEntry worker, boolean started) {}
