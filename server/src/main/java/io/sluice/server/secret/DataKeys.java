package io.sluice.server.secret;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The data key of each tenant: made when it is first needed, kept wrapped, and in memory once it was
 * unwrapped. A key is never deleted and never replaced, so what is in memory stays right.
 */
final class DataKeys {
  /** The server itself. */
  static final String SERVER = "";

  private record Row(String tenant, String master, String wrapped) {}

  private final Database database;
  private final MasterKey master;
  private final ConcurrentMap<String, Aead> open = new ConcurrentHashMap<>();

  DataKeys(Database database, MasterKey master) {
    this.database = database;
    this.master = master;
  }

  /** The key that seals what is new of a tenant; made if there was none. */
  Aead sealing(String tenant) {
    return opening(tenant).orElseGet(() -> make(tenant));
  }

  /** The key of a tenant, if it has one. */
  Optional<Aead> opening(String tenant) {
    Aead known = open.get(tenant);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Aead> found = find(tenant).map(row -> primitive(unwrap(row)));
    found.ifPresent(key -> open.put(tenant, key));
    return found;
  }

  private Aead make(String tenant) {
    try {
      add(wrap(
          tenant,
          KeysetHandle.generateNew(
              // Nonces are drawn at random: these are long enough never to meet twice, however
              // many.
              PredefinedAeadParameters.XAES_256_GCM_192_BIT_NONCE, AeadConfig2026.get())));
    } catch (GeneralSecurityException e) {
      throw broken("no data key can be made", e);
    }
    return opening(tenant).orElseThrow(() -> broken("the data key that was made is gone", null));
  }

  /**
   * Unwraps every key that another master key than the first one wraps, and wraps it under that. Fails
   * when the master key of any is not here.
   */
  int rewrap() {
    int rewrapped = 0;
    for (Row row : underOthers()) {
      if (replace(row, wrap(row.tenant, unwrap(row)))) {
        rewrapped++;
      }
    }
    return rewrapped;
  }

  private Row wrap(String tenant, KeysetHandle keys) {
    try {
      byte[] wrapped = TinkProtoKeysetFormat.serializeEncryptedKeyset(
          keys, master.aead(), place(tenant), AeadConfig2026.get());
      return new Row(tenant, master.id(), Base64.getEncoder().encodeToString(wrapped));
    } catch (GeneralSecurityException e) {
      throw broken("a data key cannot be wrapped", e);
    }
  }

  private KeysetHandle unwrap(Row row) {
    Aead key = master.aead(row.master).orElseThrow(() -> otherMaster(row));
    try {
      return TinkProtoKeysetFormat.parseEncryptedKeyset(
          Base64.getDecoder().decode(row.wrapped), key, place(row.tenant), AeadConfig2026.get());
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw broken(
          "the data key of " + named(row.tenant)
              + " was changed in the database and cannot be opened",
          e);
    }
  }

  private SluiceException otherMaster(Row row) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "the secrets in this database were encrypted with another master key: those of "
            + named(row.tenant) + " with the key " + row.master + ", given was " + master
            + ". Give the key they were encrypted with; to change keys give the new one, a comma and"
            + " the old one");
  }

  private static String named(String tenant) {
    return tenant.equals(SERVER) ? "the server" : "tenant '" + tenant + "'";
  }

  private static Aead primitive(KeysetHandle keys) {
    try {
      return keys.getPrimitive(AeadConfig2026.get(), Aead.class);
    } catch (GeneralSecurityException e) {
      throw broken("a data key cannot be used", e);
    }
  }

  private static byte[] place(String tenant) {
    return new Place(tenant, "data_key", "wrapped", tenant).associated();
  }

  private static SluiceException broken(String message, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.INTERNAL, message, cause);
  }

  private Optional<Row> find(String tenant) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-data-key")) {
        return call.set("tenant", tenant).list(DataKeys::row).stream().findFirst();
      }
    });
  }

  private void add(Row row) {
    database.run(connection -> {
      try (Call call = database.call(connection, "add-data-key")) {
        return call.set("tenant", row.tenant)
            .set("master", row.master)
            .set("wrapped", row.wrapped)
            .update();
      }
    });
  }

  private List<Row> underOthers() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "data-keys-under-others")) {
        return call.set("master", master.id()).list(DataKeys::row);
      }
    });
  }

  private boolean replace(Row before, Row after) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "rewrap-data-key")) {
        return call.set("tenant", before.tenant)
                .set("before", before.wrapped)
                .set("master", after.master)
                .set("wrapped", after.wrapped)
                .update()
            > 0;
      }
    });
  }

  private static Row row(java.sql.ResultSet row) throws java.sql.SQLException {
    return new Row(row.getString("tenant"), row.getString("master"), row.getString("wrapped"));
  }
}
