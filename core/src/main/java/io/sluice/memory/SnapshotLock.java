package io.sluice.memory;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a snapshot file: a lock on a file beside it, which the operating system lets go
 * with the process. The lock file itself stays, since removing it could part two who wait for it.
 */
final class SnapshotLock {
  /**
   * The files locked by this process. A second channel on a locked file, once closed, would take the
   * lock of the first with it (POSIX), so a file that is locked here must not even be opened again.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path snapshot;
  private @Nullable Path held;
  private @Nullable FileChannel channel;

  SnapshotLock(Path snapshot) {
    this.snapshot = snapshot;
  }

  void acquire() throws IOException {
    Path whole = snapshot.toAbsolutePath();
    Path folder = whole.getParent();
    Path name = whole.getFileName();
    if (folder == null || name == null) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "the snapshot " + whole + " is no file");
    }
    Path file = folder.toRealPath().resolve(name + ".lock");
    if (!HELD.add(file)) {
      throw inUse();
    }
    held = file;
    try {
      lock(file);
    } catch (IOException | RuntimeException e) {
      release();
      throw e;
    }
  }

  private void lock(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse();
      }
    } catch (OverlappingFileLockException e) {
      throw inUse();
    }
  }

  private SluiceException inUse() {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION, "the snapshot " + snapshot + " is in use by another store");
  }

  void release() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      channel = null;
      if (held != null) {
        HELD.remove(held);
      }
      held = null;
    }
  }
}
