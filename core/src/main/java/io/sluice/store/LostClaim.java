package io.sluice.store;

import io.sluice.Lane;

/**
 * A claim whose worker is gone, or whose own lease ran out. {@code started}, and whether it then ran
 * {@code alone}, is known only of jobs whose start was noted with {@link JobStore#started}, or
 * whose own lease was extended.
 */
public record LostClaim(
    ClaimRef ref,
    Lane lane,
    int attempt,
    Strikes strikes,
    boolean started,
    boolean alone,
    boolean ownLease) {}
