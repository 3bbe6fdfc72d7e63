package io.sluice.server.keys;

import io.sluice.postgres.Times;
import io.sluice.server.access.Role;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A key as the database has it: its hash in the place of its secret. */
record KeyRow(
    UUID id,
    UUID tenant,
    String publicId,
    String hash,
    String name,
    Role role,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt,
    boolean revoked) {

  static KeyRow read(ResultSet row) throws SQLException {
    return new KeyRow(
        row.getObject("id", UUID.class),
        row.getObject("tenant", UUID.class),
        row.getString("public_id"),
        row.getString("hash"),
        row.getString("name"),
        Role.valueOf(row.getString("role")),
        Times.read(row, "created_at"),
        Times.readOrNull(row, "expires_at"),
        Times.readOrNull(row, "last_used_at"),
        Times.readOrNull(row, "revoked_at") != null);
  }

  boolean isGoodAt(Instant now) {
    return !revoked && (expiresAt == null || now.isBefore(expiresAt));
  }
}
