package io.sluice.server.secret;

import com.google.crypto.tink.Aead;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The master keys that this server has now: as it was given them, or as its file has them. */
final class MasterKeys {
  private final @Nullable KeyFile file;
  private volatile MasterKey known;

  MasterKeys(MasterKey known) {
    Path path = known.file();
    this.file = path == null ? null : new KeyFile(path);
    this.known = known;
  }

  /** What wraps and unwraps under the key of this name; the file may have it since a moment ago. */
  Optional<Aead> aead(String id) {
    Optional<Aead> found = known.aead(id);
    return found.isPresent() || file == null ? found : reload().aead(id);
  }

  /** Reads the file again, where there is one. */
  MasterKey reload() {
    if (file != null) {
      known = file.read();
    }
    return known;
  }

  /** The name of the first key. */
  String first() {
    return known.id();
  }

  List<String> ids() {
    return known.ids();
  }

  /** The file that has the key; null when it was given by a setting. */
  @Nullable
  KeyFile file() {
    return file;
  }

  @Override
  public String toString() {
    return known.toString();
  }
}
