package io.sluice.server.secret;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the master key comes from: a setting, or a file that is named, or the file {@code master.key}
 * in the data folder. Where there is none, one is made in the data folder, unless {@code mustBeGiven}
 * says that whoever runs the server has to bring it.
 */
public record MasterKeySource(
    @Nullable String given, @Nullable Path file, Path folder, boolean mustBeGiven) {
  /** The name of the file in the data folder. */
  public static final String FILE = "master.key";

  private static final Logger LOG = LoggerFactory.getLogger(MasterKeySource.class);

  /** The key, read or made; throws BAD_CONFIGURATION with what to do when there is none. */
  public MasterKey load(SecureRandom random) {
    if (given != null) {
      return MasterKey.parse("master-key (SLUICE_MASTER_KEY)", given);
    }
    if (file != null) {
      return read(file);
    }
    Path own = folder.resolve(FILE);
    if (Files.exists(own)) {
      return read(own);
    }
    if (mustBeGiven) {
      throw bad(
          "in production a master key must be given, to encrypt secrets with: set SLUICE_MASTER_KEY to"
              + " what 'openssl rand -base64 32' prints, keep it, and give every server of this"
              + " database the same one",
          null);
    }
    return make(own, random);
  }

  private static MasterKey read(Path path) {
    try {
      if (isOpenToOthers(path)) {
        LOG.warn("{} can be read by others than its owner: chmod 600 it", path);
      }
      return MasterKey.parse(path.toString(), Files.readString(path, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw bad("the master key cannot be read from " + path + ": " + e, e);
    }
  }

  private static boolean isOpenToOthers(Path path) throws IOException {
    return isPosix(path)
        && Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static MasterKey make(Path path, SecureRandom random) {
    byte[] key = new byte[MasterKey.BYTES];
    random.nextBytes(key);
    String text = Base64.getEncoder().encodeToString(key) + "\n";
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Path draft = path.resolveSibling(FILE + ".new");
      Files.deleteIfExists(draft);
      Files.createFile(draft, ownerOnly(path));
      Files.writeString(draft, text, StandardOpenOption.SYNC);
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw bad("the master key cannot be written to " + path + ": " + e, e);
    }
    LOG.info("Made a master key in {}: without it the secrets in the database are lost", path);
    return MasterKey.parse(path.toString(), text);
  }

  private static FileAttribute<?>[] ownerOnly(Path path) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(
              Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))
        }
        : new FileAttribute<?>[0];
  }

  private static SluiceException bad(String message, @Nullable Exception cause) {
    return new SluiceException(ErrorCode.BAD_CONFIGURATION, message, cause);
  }

  /** Without what was given. */
  @Override
  public String toString() {
    return given != null
        ? "master key from a setting"
        : "master key from " + (file == null ? folder : file);
  }
}
