package io.sluice.server.secret;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.AesGcmKey;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.util.SecretBytes;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The key under which all data keys are wrapped; it is never in the database. It is written as 32
 * random bytes in base64, as {@code openssl rand -base64 32} prints them. Several, separated by commas
 * or white space, are one master key in the middle of its change: the first one is the one to change
 * to, all unwrap. Which of them wraps is written in the database, so that all servers agree on it.
 */
public final class MasterKey {
  private static final int BYTES = 32;
  private static final int FEWEST_DIFFERENT_BYTES = 12;
  private static final String HOW = "32 random bytes in base64, as 'openssl rand -base64 32' prints"
      + " them (during a change the new key, a comma and the old one)";

  /** One key, and the name by which it is known without being told. */
  private record Part(String id, Aead aead) {}

  private final List<Part> parts;
  private final @Nullable Path file;

  private MasterKey(List<Part> parts, @Nullable Path file) {
    this.parts = parts;
    this.file = file;
  }

  /**
   * Reads a key.
   *
   * @param field where it stands, for errors, which never show any of it
   */
  public static MasterKey parse(String field, String text) {
    List<Part> parts = Arrays.stream(text.strip().split("[,\\s]+"))
        .map(part -> part(field, part))
        .toList();
    return new MasterKey(parts, null);
  }

  /** Reads the key that a server keeps for itself in a file, which it may then change by itself. */
  public static MasterKey inFile(Path file, String text) {
    return new MasterKey(parse(file.toString(), text).parts, file);
  }

  /** A new key, as it is written. */
  public static String generate(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Part part(String field, String text) {
    byte[] bytes = decoded(text);
    if (bytes == null || bytes.length != BYTES) {
      throw bad(field + " must be " + HOW);
    }
    if (different(bytes) < FEWEST_DIFFERENT_BYTES) {
      throw bad(field + " is not random enough; it must be " + HOW);
    }
    try {
      return new Part(id(bytes), aead(bytes));
    } catch (GeneralSecurityException e) {
      throw bad(field + " cannot be used: " + e.getMessage());
    }
  }

  private static byte @Nullable [] decoded(String text) {
    try {
      boolean urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
      return (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static int different(byte[] bytes) {
    boolean[] seen = new boolean[256];
    int count = 0;
    for (byte b : bytes) {
      count += seen[b & 0xff] ? 0 : 1;
      seen[b & 0xff] = true;
    }
    return count;
  }

  private static SluiceException bad(String message) {
    return new SluiceException(ErrorCode.BAD_CONFIGURATION, message);
  }

  @AccessesPartialKey // The key is the operator's, not one that the library made.
  private static Aead aead(byte[] bytes) throws GeneralSecurityException {
    AesGcmKey key = AesGcmKey.builder()
        .setParameters(AesGcmParameters.builder()
            .setKeySizeBytes(BYTES)
            .setIvSizeBytes(12)
            .setTagSizeBytes(16)
            .setVariant(AesGcmParameters.Variant.NO_PREFIX)
            .build())
        .setKeyBytes(SecretBytes.copyFrom(bytes, InsecureSecretKeyAccess.get()))
        .build();
    return KeysetHandle.newBuilder()
        .setConfiguration(AeadConfig2026.get())
        .addEntry(KeysetHandle.importKey(key).withRandomId().makePrimary())
        .build()
        .getPrimitive(AeadConfig2026.get(), Aead.class);
  }

  private static String id(byte[] bytes) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update("sluice master key".getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(bytes), 0, 4);
  }

  /** The name of the first key: the only one, or the one to change to. */
  String id() {
    return parts.getFirst().id;
  }

  /** True when the keys of all these names are here. */
  public boolean has(List<String> names) {
    return ids().containsAll(names);
  }

  /** The names of all keys. */
  List<String> ids() {
    return parts.stream().map(Part::id).toList();
  }

  /** Where the key is kept; null when the server was given it by a setting. */
  @Nullable
  Path file() {
    return file;
  }

  /** What wraps and unwraps under the key of this name, if it is here. */
  Optional<Aead> aead(String id) {
    return parts.stream().filter(part -> part.id.equals(id)).map(Part::aead).findFirst();
  }

  /** The names of the keys, which tell nothing of them. */
  @Override
  public String toString() {
    return String.join(", ", ids());
  }
}
