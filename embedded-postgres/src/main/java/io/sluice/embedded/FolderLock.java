package io.sluice.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ownership of a data folder: a lock on a file in it, which the kernel frees when this process
 * dies, however it dies.
 */
final class FolderLock implements AutoCloseable {
  /**
   * The folders owned by this process. A kernel file lock belongs to the process and is lost as soon
   * as any descriptor of the file is closed, so a second try here must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;

  private FolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /** Takes the folder, which must exist and be given by its real path, or refuses naming the owner. */
  static FolderLock take(Path folder) {
    if (!HELD.add(folder)) {
      throw inUse(folder, ProcessHandle.current().pid() + ", this one");
    }
    FolderLock lock = null;
    try {
      lock = lockFile(folder);
      return lock;
    } finally {
      if (lock == null) {
        HELD.remove(folder);
      }
    }
  }

  private static FolderLock lockFile(Path folder) {
    // The pid has a file of its own because reading the locked file would drop the lock.
    Path pidFile = folder.resolve("owner.pid");
    FolderLock taken = null;
    FileChannel channel = null;
    try {
      channel = FileChannel.open(
          folder.resolve("owner.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        throw inUse(folder, Files.exists(pidFile) ? Files.readString(pidFile).strip() : "unknown");
      }
      Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");
      taken = new FolderLock(folder, channel);
      return taken;
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot lock the data folder " + folder, e);
    } finally {
      if (taken == null) {
        closeQuietly(channel);
      }
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The failure that brought us here says more.
    }
  }

  private static EmbeddedPostgresException inUse(Path folder, String pid) {
    return new EmbeddedPostgresException(
        "data folder " + folder + " is in use by another owner (process " + pid + ")");
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return; // given up before, and perhaps taken by another since
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot unlock the data folder " + folder, e);
    } finally {
      HELD.remove(folder);
    }
  }
}
