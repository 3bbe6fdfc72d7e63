package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.backup.BackupFile;
import io.sluice.server.config.Config;
import io.sluice.server.secret.MasterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a server that are not in its database: where they are, and whether they fit a backup. */
final class KeptKeys {
  private static final String MASTER = "master.key";
  private static final List<String> NAMES = List.of(MASTER, "admin.key");

  private final Config config;

  KeptKeys(Config config) {
    this.config = config;
  }

  /** The texts of all keys there are, by the names of their files. */
  Map<String, String> all() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String name : NAMES) {
      inFolder(name).ifPresent(text -> keys.put(name, text));
    }
    if (config.trust().masterKey() != null) {
      keys.put(MASTER, config.trust().masterKey());
    }
    if (config.trust().adminKey() != null) {
      keys.put("admin.key", config.trust().adminKey());
    }
    return keys;
  }

  private Optional<String> inFolder(String name) {
    Path file = config.running().data().resolve(name);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "the key in " + file + " cannot be read (" + e.getMessage() + ")",
          e);
    }
  }

  /** Fails unless the master key that the backup needs is here or in it. */
  void requireFor(BackupFile backup) {
    List<String> needed = backup.manifest().masterKeys();
    Map<String, String> here = all();
    String text = here.get(MASTER);
    if (text == null && backup.manifest().keyFiles().contains(MASTER)) {
      text = backup.key(MASTER);
    }
    if (needed.isEmpty()) {
      return;
    }
    if (text == null) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "the master key is missing (" + String.join(", ", needed)
              + "), which is not in the backup:"
              + " copy master.key of the old server into "
              + config.running().data().toAbsolutePath().normalize()
              + ", or give --master-key, and restore again. Nothing was restored");
    }
    MasterKey key = MasterKey.parse("master key", text);
    if (!key.has(needed)) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "the master key here is " + key + ", and the secrets in the backup were encrypted with "
              + String.join(", ", needed)
              + ": give the key that the server had when the backup was made. Nothing was restored");
    }
  }

  /** Puts the keys that are in the backup where there are none. */
  void takeFrom(BackupFile backup) {
    Map<String, String> here = all();
    DataFolder folder = DataFolder.open(config.running().data());
    backup.manifest().keyFiles().stream()
        .filter(NAMES::contains)
        .filter(name -> !here.containsKey(name))
        .forEach(name -> folder.secret(name, () -> backup.key(name).strip()));
  }
}
