package io.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** Distinguishes files of the user who runs this from those that others could have written. */
final class FileOwner {
  private static final Path SELF = Path.of("/proc/self");

  private FileOwner() {}

  /** True when all of these belong to the user and nobody else may write to them. */
  static boolean isOurs(Path... files) {
    try {
      UserPrincipal user = user();
      for (Path file : files) {
        if (!Files.getOwner(file).equals(user) || isWritableForOthers(file)) {
          return false;
        }
      }
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** By the process where the system shows it: in a container the user may have no name. */
  private static UserPrincipal user() throws IOException {
    return Files.exists(SELF)
        ? Files.getOwner(SELF)
        : SELF.getFileSystem()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(System.getProperty("user.name"));
  }

  private static boolean isWritableForOthers(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return false;
    }
    Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
    return modes.contains(PosixFilePermission.GROUP_WRITE)
        || modes.contains(PosixFilePermission.OTHERS_WRITE);
  }
}
