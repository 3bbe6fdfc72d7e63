package io.sluice.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Folders as this module makes them: private to their owner, and on the disk when we say so. */
final class Folders {
  private Folders() {}

  /** Creates the folder and its parents for the owner alone, and answers its real path. */
  static Path create(Path folder) throws IOException {
    if (Files.isRegularFile(folder)) {
      throw new EmbeddedPostgresException(folder + " is a file; a data folder is needed");
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    return folder.toRealPath();
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException error)
          throws IOException {
        if (error != null) {
          throw error;
        }
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /** Makes the names in the folder survive a power cut. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
