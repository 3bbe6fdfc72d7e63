package io.sluice.server.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One line of the audit log: who did what to which thing of whom, and when. */
public record AuditEntry(
    UUID id,
    Instant at,
    String tenant,
    String actor,
    String role,
    String action,
    String object,
    @Nullable String details) {}
