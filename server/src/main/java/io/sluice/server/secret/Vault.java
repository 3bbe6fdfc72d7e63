package io.sluice.server.secret;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens secrets. A sealed text says that it is one and in which form: a version and the id of
 * its data key are the first bytes of what follows. It opens with its tenant's data key and at its
 * {@link Place} only.
 */
public final class Vault {
  /** How every sealed text begins. */
  public static final String PREFIX = "sluice-sealed:";

  /** A whole sealed text, wherever it stands. Its characters need no quoting in JSON, URLs or headers. */
  static final Pattern SEALED = Pattern.compile(PREFIX + "[A-Za-z0-9_-]+");

  /** A version and the id of a data key stand before everything else. */
  private static final byte VERSION = 1;

  private final Database database;
  private final MasterKeys masters;
  private final DataKeys keys;

  public Vault(Database database, MasterKey master) {
    this.database = database;
    this.masters = new MasterKeys(master);
    this.keys = new DataKeys(database, masters);
  }

  /**
   * Makes the vault ready, once the tables are there. Fails with BAD_CONFIGURATION when secrets in them
   * were encrypted with another master key, so that this is known at the start and not at a delivery.
   */
  public Vault start() {
    database.run(connection -> {
      try (Call call = database.call(connection, "begin-master-key")) {
        return call.set("master", masters.first()).update();
      }
    });
    keys.requireMasters();
    keys.sealing(DataKeys.SERVER);
    return this;
  }

  MasterKeys masters() {
    return masters;
  }

  DataKeys keys() {
    return keys;
  }

  /** The text as it may be kept at this place. */
  public String seal(Place place, String secret) {
    return seal(keys.sealing(place.tenant()), place, secret);
  }

  private static String seal(DataKeys.Opened keys, Place place, String secret) {
    try {
      byte[] sealed =
          keys.aead().encrypt(secret.getBytes(StandardCharsets.UTF_8), place.associated());
      return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    } catch (GeneralSecurityException e) {
      throw broken("a secret cannot be sealed", e);
    }
  }

  /** The text that was sealed for this place. */
  public String open(Place place, String sealed) {
    byte[] bytes = bytes(place, sealed);
    DataKeys.Opened known = keys.opening(place.tenant())
        .orElseThrow(() -> broken("tenant '" + place.tenant() + "' has no data key", null));
    // Another server may have sealed with a key that came after those in memory.
    return open(known, place, bytes)
        .or(() -> keys.newer(place.tenant(), known).flatMap(newer -> open(newer, place, bytes)))
        .orElseThrow(() -> doesNotOpen(place));
  }

  private static Optional<String> open(DataKeys.Opened keys, Place place, byte[] sealed) {
    try {
      byte[] opened = keys.aead().decrypt(sealed, place.associated());
      return Optional.of(new String(opened, StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  /** The same secret sealed with the newest data key; nothing when it is already. */
  public Optional<String> renewed(Place place, String sealed) {
    DataKeys.Opened newest = keys.sealing(place.tenant());
    ByteBuffer bytes = ByteBuffer.wrap(bytes(place, sealed));
    boolean isNewest = bytes.remaining() > Integer.BYTES
        && bytes.get() == VERSION
        && bytes.getInt() == newest.sealing();
    return isNewest ? Optional.empty() : Optional.of(seal(newest, place, open(place, sealed)));
  }

  private static byte[] bytes(Place place, String sealed) {
    if (!SEALED.matcher(sealed).matches()) {
      throw broken("what is kept in " + place + " is not a sealed secret", null);
    }
    try {
      return Base64.getUrlDecoder().decode(sealed.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      throw doesNotOpen(place);
    }
  }

  private static SluiceException doesNotOpen(Place place) {
    return broken(
        "the secret in " + place
            + " does not open there: it was changed, or moved from another row",
        null);
  }

  /** True for a text that this vault, or another one, sealed. */
  public static boolean isSealed(String text) {
    return SEALED.matcher(text).matches();
  }

  /** The text with each sealed text in it that the map knows replaced by what the map has for it. */
  public static String replaced(String text, Map<String, String> sealed) {
    return SEALED
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(sealed.getOrDefault(found.group(), found.group())));
  }

  private static SluiceException broken(String message, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.INTERNAL, message, cause);
  }
}
