package io.sluice.memory;

/** The claim a job runs under: by whom, and what was noted of its start. */
record Hold(WorkerEntry worker, boolean started, boolean alone) {}
