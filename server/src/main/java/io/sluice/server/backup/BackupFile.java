package io.sluice.server.backup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A backup to read: a ZIP file with the rows of each table in COPY's text, and what it says of itself. */
public final class BackupFile implements AutoCloseable {
  static final String MANIFEST = "manifest.json";
  static final String TABLES = "tables/";
  static final String KEYS = "keys/";

  private static final long LARGEST_MANIFEST = 4 << 20;
  private static final int LARGEST_KEY = 10_000;

  private final Path file;
  private final ZipFile zip;
  private final Manifest manifest;

  private BackupFile(Path file, ZipFile zip, Manifest manifest) {
    this.file = file;
    this.zip = zip;
    this.manifest = manifest;
  }

  /** Opens a file and reads what it says of itself. Throws BAD_CONFIGURATION where it is no backup. */
  public static BackupFile open(Path file) {
    if (!Files.isRegularFile(file)) {
      throw bad(file, "there is no such file", null);
    }
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (IOException e) {
      throw bad(file, "it is not a backup, or only a part of one: its end is missing", e);
    }
    boolean read = false;
    try {
      BackupFile opened = new BackupFile(file, zip, manifest(file, zip));
      read = true;
      return opened;
    } finally {
      if (!read) {
        closeQuietly(zip);
      }
    }
  }

  private static Manifest manifest(Path file, ZipFile zip) {
    ZipEntry entry = zip.getEntry(MANIFEST);
    if (entry == null || entry.getSize() > LARGEST_MANIFEST) {
      throw bad(file, "it is not a backup of Sluice: it does not say what is in it", null);
    }
    JsonMapper mapper = JsonMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .build();
    try (InputStream in = zip.getInputStream(entry)) {
      JsonNode tree = mapper.readTree(in.readAllBytes());
      int format = tree.path("format").asInt(0);
      if (format > Manifest.FORMAT) {
        throw bad(
            file,
            "it has the form " + format + ", and this program reads up to " + Manifest.FORMAT
                + ": restore it with the Sluice that made it ("
                + tree.path("sluice").asString("?")
                + ") or a newer one",
            null);
      }
      return mapper.treeToValue(tree, Manifest.class);
    } catch (IOException | JacksonException e) {
      throw bad(file, "it is damaged: what it says of itself cannot be read", e);
    }
  }

  public Manifest manifest() {
    return manifest;
  }

  /** The rows of a table. */
  InputStream rows(String table) throws IOException {
    ZipEntry entry = zip.getEntry(TABLES + table);
    if (entry == null) {
      throw damaged("table " + table + " is missing", null);
    }
    return zip.getInputStream(entry);
  }

  /** The text of a key file that is in it. */
  public String key(String name) {
    ZipEntry entry = zip.getEntry(KEYS + name);
    if (entry == null) {
      throw damaged("key " + name + " is missing", null);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      return new String(in.readNBytes(LARGEST_KEY), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw damaged("key " + name + " cannot be read", e);
    }
  }

  SluiceException damaged(String what, @Nullable Exception cause) {
    return bad(file, "it is damaged: " + what + ". Nothing was restored", cause);
  }

  static SluiceException bad(Path file, String why, @Nullable Exception cause) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION, file + " cannot be restored: " + why, cause);
  }

  private static void closeQuietly(ZipFile zip) {
    try {
      zip.close();
    } catch (IOException e) {
      // What went wrong before says more.
    }
  }

  @Override
  public void close() {
    closeQuietly(zip);
  }
}
