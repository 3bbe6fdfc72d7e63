package io.sluice.server.secret;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The file in which a server keeps its master key, while it changes: one key to a line, the newest
 * first. It is replaced whole, is on the disk before anybody relies on it, and only its user can read
 * it. Servers that share a data folder change it one after the other.
 */
final class KeyFile {
  private final Path file;

  KeyFile(Path file) {
    this.file = file;
  }

  MasterKey read() {
    try {
      return MasterKey.inFile(file, Files.readString(file));
    } catch (IOException e) {
      throw broken("cannot be read", e);
    }
  }

  /**
   * Puts a key first, and keeps the others. Where the first one is not the key in force any more,
   * somebody has begun a change before, and nothing is added.
   */
  void begin(String inForce, String key) {
    change(keys -> id(keys.getFirst()).equals(inForce)
        ? Stream.concat(Stream.of(key), keys.stream()).toList()
        : keys);
  }

  /** Takes the keys of these names away, but never the last one. */
  void end(List<String> over) {
    change(keys -> {
      List<String> left = keys.stream().filter(key -> !over.contains(id(key))).toList();
      return left.isEmpty() ? keys : left;
    });
  }

  private String id(String key) {
    return MasterKey.parse(file.toString(), key).id();
  }

  private void change(UnaryOperator<List<String>> change) {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel channel = FileChannel.open(
        lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), privately())) {
      channel.lock();
      List<String> before =
          Arrays.stream(Files.readString(file).strip().split("[,\\s]+")).toList();
      List<String> after = change.apply(before);
      if (!after.equals(before)) {
        replace(String.join("\n", after) + "\n");
      }
    } catch (OverlappingFileLockException e) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "the master key is being changed at this moment: try again", e);
    } catch (IOException e) {
      throw broken("cannot be changed", e);
    }
  }

  private void replace(String text) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path draft = Files.createTempFile(folder, "." + file.getFileName(), "", privately());
    try {
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      // The folder too, or a loss of power may bring the old file back.
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static FileAttribute<?>[] privately() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private SluiceException broken(String what, IOException cause) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "the master key in " + file + " " + what + " (" + cause.getMessage() + ")",
        cause);
  }
}
