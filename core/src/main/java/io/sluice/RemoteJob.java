package io.sluice;

import io.sluice.store.ClaimRef;
import java.time.Instant;

/**
 * A job in a remote worker's hands, and until when it may keep it without a word. The record is the
 * job at the moment of the claim, without the errors of earlier attempts.
 */
public record RemoteJob(ClaimRef lease, JobRecord job, Instant leaseUntil) {}
