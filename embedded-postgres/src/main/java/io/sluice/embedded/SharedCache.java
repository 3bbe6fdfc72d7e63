package io.sluice.embedded;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A cache folder for programs that root unpacks once and every user may run. Only root may write to it:
 * otherwise another user could replace a program that is about to be started.
 */
final class SharedCache {
  static final SharedCache SYSTEM = new SharedCache(Path.of("/var/cache"));

  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path parent;

  /** The cache below a folder of the system. */
  SharedCache(Path parent) {
    this.parent = parent;
  }

  /** The folder, made where it is missing; empty where it cannot be made, or somebody else may write to it. */
  Optional<Path> open() {
    Path own = parent.resolve("sluice");
    Path cache = own.resolve("postgres");
    try {
      for (Path folder : List.of(own, cache)) {
        if (!Files.exists(folder, NOFOLLOW_LINKS)) {
          create(folder);
        }
      }
      boolean safe = isReadOnly(parent) && isReadOnly(own) && isReadOnly(cache);
      return safe ? Optional.of(cache) : Optional.empty();
    } catch (IOException e) {
      // A read-only file system, for example: then the programs go elsewhere.
      return Optional.empty();
    }
  }

  private static void create(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      return; // another process has just made it
    }
    Files.setPosixFilePermissions(folder, READABLE); // whatever the umask
  }

  /** True for a folder of root that everybody can read and nobody else can change. */
  private static boolean isReadOnly(Path folder) throws IOException {
    return Files.isDirectory(folder, NOFOLLOW_LINKS)
        && RunAs.accountOf(folder).uid() == 0
        && Files.getPosixFilePermissions(folder, NOFOLLOW_LINKS).equals(READABLE);
  }
}
