package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder that holds what a server keeps for itself, readable by its user alone. */
final class DataFolder {
  /** A secret of the folder, and whether it was made just now. */
  record Secret(String value, boolean fresh, Path file) {}

  private final Path folder;
  private final boolean fresh;

  private DataFolder(Path folder, boolean fresh) {
    this.folder = folder;
    this.fresh = fresh;
  }

  /** Says what is wrong with a place for the folder, without touching it. */
  static void check(Path path) {
    Path there = nearest(path);
    if (!Files.isDirectory(there)) {
      throw unusable(path.toAbsolutePath().normalize(), there + " is not a folder", null);
    }
    if (!Files.isWritable(there)) {
      throw unusable(path.toAbsolutePath().normalize(), there + " cannot be written to", null);
    }
  }

  /** The folder itself where it is there, or the one that it would be made in. */
  private static Path nearest(Path path) {
    Path there = path.toAbsolutePath().normalize();
    for (Path up = there; up != null; up = up.getParent()) {
      if (Files.exists(up)) {
        return up;
      }
    }
    return there;
  }

  /** The folder, made where it is not there. */
  static DataFolder open(Path path) {
    try {
      boolean fresh = !Files.isDirectory(path);
      if (fresh) {
        Files.createDirectories(path, modes("rwx------"));
      }
      Path folder = path.toRealPath();
      if (!Files.isWritable(folder)) {
        throw unusable(folder, "it cannot be written to", null);
      }
      return new DataFolder(folder, fresh);
    } catch (IOException e) {
      throw unusable(path.toAbsolutePath().normalize(), "it cannot be made", e);
    }
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  /** The folder, where it was made just now; else this one inside of it. */
  Path freshOr(Path inside) {
    return fresh ? folder : inside;
  }

  /** The secret in a file, made by the first process that asks for it and the same for all others. */
  Secret secret(String name, Supplier<String> made) {
    Path file = folder.resolve(name);
    try {
      boolean fresh = !Files.exists(file) && write(file, made.get());
      String value = Files.readString(file).strip();
      if (value.isEmpty()) {
        throw unusable(folder, name + " in it is empty: put the key back or remove the file", null);
      }
      return new Secret(value, fresh, file);
    } catch (IOException e) {
      throw unusable(folder, name + " in it cannot be read or written", e);
    }
  }

  /** Leaves a note for other processes of this user, in the place of an older one. */
  void leave(String name, String value) {
    try {
      Path draft = Files.createTempFile(folder, "." + name, "", modes("rw-------"));
      Files.writeString(draft, value + "\n");
      Files.move(draft, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unusable(folder, name + " in it cannot be written", e);
    }
  }

  /** Takes a note away again, unless another process has left its own there meanwhile. */
  void take(String name, String value) {
    Path file = folder.resolve(name);
    try {
      if (Files.exists(file) && Files.readString(file).strip().equals(value)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw unusable(folder, name + " in it cannot be removed", e);
    }
  }

  /** Writes the file whole or not at all; false when another process was faster. */
  private boolean write(Path file, String value) throws IOException {
    Path draft = Files.createTempFile(folder, "." + file.getFileName(), "", modes("rw-------"));
    try {
      Files.writeString(draft, value + "\n");
      Files.createLink(file, draft);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.delete(draft);
    }
  }

  /** Removes a folder with all that is in it. */
  static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw unusable(folder, "it cannot be removed", e);
    }
  }

  private static FileAttribute<?>[] modes(String modes) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(modes))
        }
        : new FileAttribute<?>[0];
  }

  private static SluiceException unusable(Path folder, String why, @Nullable IOException cause) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "data folder " + folder + " cannot be used: " + why
            + (cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }
}
