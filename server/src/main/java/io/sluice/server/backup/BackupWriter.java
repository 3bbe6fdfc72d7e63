package io.sluice.server.backup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A backup being written: under another name until it is whole and on the disk, and readable by its
 * user alone.
 */
final class BackupWriter implements AutoCloseable {
  private final Path file;
  private final Path part;
  private final FileChannel channel;
  private final ZipOutputStream zip;
  private boolean whole;

  private BackupWriter(Path file, Path part, FileChannel channel) {
    this.file = file;
    this.part = part;
    this.channel = channel;
    this.zip = new ZipOutputStream(
        new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16),
        StandardCharsets.UTF_8);
  }

  static BackupWriter create(Path file, boolean overwrite) {
    if (Files.isDirectory(file)) {
      throw cannot(file, "it is a folder; name a file in it", null);
    }
    if (!overwrite && Files.exists(file)) {
      throw cannot(file, "it is there already; name another one, or say --force", null);
    }
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw cannot(file, "folder " + folder + " does not exist", null);
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.deleteIfExists(part);
      return new BackupWriter(
          file,
          part,
          FileChannel.open(
              part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), privately()));
    } catch (IOException e) {
      throw cannot(file, "cannot be made", e);
    }
  }

  private static FileAttribute<?>[] privately() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Where the next entry goes; closing it ends the entry. */
  OutputStream entry(String name) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    return new FilterOutputStream(zip) {
      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        zip.write(bytes, from, length);
      }

      @Override
      public void close() throws IOException {
        zip.closeEntry();
      }
    };
  }

  /** Ends the file: it is whole, it is on the disk, it has its name. */
  void finish(Manifest manifest) throws IOException {
    JsonMapper mapper =
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    try (OutputStream out = entry(BackupFile.MANIFEST)) {
      out.write(mapper.writeValueAsBytes(manifest));
    }
    zip.finish();
    zip.flush();
    channel.force(true);
    channel.close();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path folder = file.toAbsolutePath().getParent();
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
    whole = true;
  }

  SluiceException failed(IOException cause) {
    return cannot(file, "the backup was not made", cause);
  }

  private static SluiceException cannot(Path file, String why, @Nullable IOException cause) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "cannot write " + file + ": " + why
            + (cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }

  /** Leaves nothing behind of a file that did not become whole. */
  @Override
  public void close() {
    try {
      channel.close();
      if (!whole) {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
