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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The data keys of each tenant: the first made when it is needed, one more at each change of the master
 * key. The newest seals, all open; none is ever taken away. They are kept wrapped, and in memory once
 * they were unwrapped. What is in memory may lack the newest key, and then is read again.
 */
final class DataKeys {
  /** The server itself. */
  static final String SERVER = "";

  private static final int TRIES = 5;

  /** The keys of a tenant as this process has them, and the id of the one that seals. */
  record Opened(Aead aead, int sealing, String wrapped) {}

  private record Row(String tenant, String master, String wrapped) {}

  private final Database database;
  private final MasterKeys masters;
  private final ConcurrentMap<String, Opened> open = new ConcurrentHashMap<>();

  DataKeys(Database database, MasterKeys masters) {
    this.database = database;
    this.masters = masters;
  }

  /** The keys that seal what is new of a tenant; made if there were none. */
  Opened sealing(String tenant) {
    return opening(tenant).orElseGet(() -> make(tenant));
  }

  /** The keys of a tenant, if it has any. */
  Optional<Opened> opening(String tenant) {
    Opened known = open.get(tenant);
    return known != null ? Optional.of(known) : read(tenant);
  }

  /** The keys of a tenant as they are in the database, when those in memory are other ones. */
  Optional<Opened> newer(String tenant, Opened known) {
    return read(tenant).filter(read -> !read.wrapped.equals(known.wrapped));
  }

  /** Reads all keys again when they are needed next. */
  void forget() {
    open.clear();
  }

  private Optional<Opened> read(String tenant) {
    Optional<Opened> found = find(tenant).map(row -> opened(row, unwrap(row)));
    found.ifPresent(keys -> open.put(tenant, keys));
    return found;
  }

  private static Opened opened(Row row, KeysetHandle keys) {
    try {
      return new Opened(
          keys.getPrimitive(AeadConfig2026.get(), Aead.class),
          keys.getPrimary().getId(),
          row.wrapped);
    } catch (GeneralSecurityException e) {
      throw broken("a data key cannot be used", e);
    }
  }

  /** Under the master key in force, which may change between the look and the write. */
  private Opened make(String tenant) {
    for (int tries = 0; tries < TRIES; tries++) {
      add(wrap(tenant, inForce(), withNew(KeysetHandle.newBuilder())));
      Optional<Opened> made = read(tenant);
      if (made.isPresent()) {
        return made.get();
      }
    }
    throw broken("the data key that was made is gone", null);
  }

  private static KeysetHandle withNew(KeysetHandle.Builder keys) {
    try {
      // Nonces are drawn at random: these are long enough never to meet twice, however many.
      return keys.setConfiguration(AeadConfig2026.get())
          .addEntry(KeysetHandle.generateEntryFromParameters(
                  PredefinedAeadParameters.XAES_256_GCM_192_BIT_NONCE)
              .withRandomId()
              .makePrimary())
          .build();
    } catch (GeneralSecurityException e) {
      throw broken("no data key can be made", e);
    }
  }

  /** Fails with BAD_CONFIGURATION when the master key of any data key is not here. */
  void requireMasters() {
    List<String> used = database.run(connection -> {
      try (Call call = database.call(connection, "masters-in-use")) {
        return call.list(row -> row.getString("id"));
      }
    });
    for (String master : used) {
      if (masters.aead(master).isEmpty()) {
        throw otherMaster(owner(master), master);
      }
    }
  }

  /**
   * Gives up to so many tenants a new key and wraps theirs under the master key in force. Returns how
   * many were left to do when it began, at most the limit.
   */
  int renew(int limit) {
    List<Row> old = database.run(connection -> {
      try (Call call = database.call(connection, "data-keys-to-renew")) {
        return call.set("limit", limit).list(DataKeys::row);
      }
    });
    for (Row row : old) {
      replace(row, wrap(row.tenant, inForce(), withNew(KeysetHandle.newBuilder(unwrap(row)))));
    }
    return old.size();
  }

  private String inForce() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "master-key")) {
        return call.one(row -> row.getString("current"));
      }
    });
  }

  private Row wrap(String tenant, String master, KeysetHandle keys) {
    Aead key = masters.aead(master).orElseThrow(() -> otherMaster(tenant, master));
    try {
      byte[] wrapped = TinkProtoKeysetFormat.serializeEncryptedKeyset(
          keys, key, place(tenant), AeadConfig2026.get());
      return new Row(tenant, master, Base64.getEncoder().encodeToString(wrapped));
    } catch (GeneralSecurityException e) {
      throw broken("a data key cannot be wrapped", e);
    }
  }

  private KeysetHandle unwrap(Row row) {
    Aead key = masters.aead(row.master).orElseThrow(() -> otherMaster(row.tenant, row.master));
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

  private SluiceException otherMaster(String tenant, String master) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "the secrets in this database were encrypted with another master key: those of "
            + named(tenant) + " with the key " + master + ", given was " + masters
            + ". Give the key they were encrypted with; to change keys give the new one, a comma and"
            + " the old one, and call 'sluice master-key rotate'");
  }

  private static String named(String tenant) {
    return tenant.equals(SERVER) ? "the server" : "tenant '" + tenant + "'";
  }

  private static byte[] place(String tenant) {
    return new Place(tenant, "data_key", "wrapped", tenant).associated();
  }

  private static SluiceException broken(String message, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.INTERNAL, message, cause);
  }

  private String owner(String master) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "owner-under-master")) {
        return call.set("master", master).list(row -> row.getString("tenant")).stream()
            .findFirst()
            .orElse(SERVER);
      }
    });
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

  private void replace(Row before, Row after) {
    database.run(connection -> {
      try (Call call = database.call(connection, "renew-data-key")) {
        return call.set("tenant", before.tenant)
            .set("before", before.wrapped)
            .set("master", after.master)
            .set("wrapped", after.wrapped)
            .update();
      }
    });
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(row.getString("tenant"), row.getString("master"), row.getString("wrapped"));
  }
}
