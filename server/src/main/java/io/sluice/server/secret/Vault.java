package io.sluice.server.secret;

import com.google.crypto.tink.Aead;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Database;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals and opens secrets. A sealed text says that it is one and in which form: a version and the id of
 * its data key are the first bytes of what follows. It opens with its tenant's data key and at its
 * {@link Place} only.
 */
public final class Vault {
  /** How every sealed text begins. */
  static final String PREFIX = "sluice-sealed:";

  /** A whole sealed text, wherever it stands. Its characters need no quoting in JSON, URLs or headers. */
  static final Pattern SEALED = Pattern.compile(PREFIX + "[A-Za-z0-9_-]+");

  private static final Logger LOG = LoggerFactory.getLogger(Vault.class);

  private final DataKeys keys;
  private final MasterKey master;

  public Vault(Database database, MasterKey master) {
    this.keys = new DataKeys(database, master);
    this.master = master;
  }

  /**
   * Makes the vault ready, once the tables are there. Fails with BAD_CONFIGURATION when secrets in them
   * were encrypted with another master key, so that this is known at the start and not at a delivery.
   */
  public Vault start() {
    int rewrapped = keys.rewrap();
    if (rewrapped > 0) {
      LOG.info("{} data keys are under the master key {} now", rewrapped, master.id());
    }
    keys.sealing(DataKeys.SERVER);
    return this;
  }

  /** The text as it may be kept at this place. */
  public String seal(Place place, String secret) {
    try {
      byte[] sealed = keys.sealing(place.tenant())
          .encrypt(secret.getBytes(StandardCharsets.UTF_8), place.associated());
      return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    } catch (GeneralSecurityException e) {
      throw broken("a secret cannot be sealed", e);
    }
  }

  /** The text that was sealed for this place. */
  public String open(Place place, String sealed) {
    if (!SEALED.matcher(sealed).matches()) {
      throw broken("what is kept in " + place + " is not a sealed secret", null);
    }
    Aead key = keys.opening(place.tenant())
        .orElseThrow(() -> broken("tenant '" + place.tenant() + "' has no data key", null));
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(sealed.substring(PREFIX.length()));
      return new String(key.decrypt(bytes, place.associated()), StandardCharsets.UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw broken(
          "the secret in " + place
              + " does not open there: it was changed, or moved from another row",
          null);
    }
  }

  /** True for a text that this vault, or another one, sealed. */
  public static boolean isSealed(String text) {
    return SEALED.matcher(text).matches();
  }

  private static SluiceException broken(String message, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.INTERNAL, message, cause);
  }
}
