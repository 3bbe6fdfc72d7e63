package io.sluice.memory;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The file that keeps a shelf between runs. Its header is a mark, a version, and the length and CRC32C
 * of the content that follows. It is written beside its place, forced to disk and then moved there, so
 * that there always is one whole file; one that cannot be read is never touched.
 */
final class Snapshot {
  private static final long MARK = 0x534C_5549_4345_4D53L; // "SLUICEMS"
  private static final int VERSION = 4;
  private static final int HEADER = Long.BYTES + Integer.BYTES + Long.BYTES + Long.BYTES;
  private static final int BUFFER = 1 << 16;

  private record Header(long mark, int version, long length, long checksum) {
    ByteBuffer bytes() {
      return ByteBuffer.allocate(HEADER)
          .putLong(mark)
          .putInt(version)
          .putLong(length)
          .putLong(checksum)
          .flip();
    }

    static Header of(ByteBuffer bytes) {
      return new Header(bytes.getLong(), bytes.getInt(), bytes.getLong(), bytes.getLong());
    }
  }

  private final Path file;
  private final SnapshotLock lock;

  Snapshot(Path file) {
    this.file = file;
    this.lock = new SnapshotLock(file);
  }

  /** Takes the lock and reads what is there; nothing, when there is no file yet. */
  Shelf open() {
    try {
      lock.acquire();
      return readOrRelease();
    } catch (IOException e) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "the snapshot " + file + " cannot be read: " + e, e);
    }
  }

  private Shelf readOrRelease() throws IOException {
    try {
      return Files.exists(file) ? read() : new Shelf();
    } catch (IOException | RuntimeException e) {
      lock.release();
      throw e;
    }
  }

  private Shelf read() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int version = check(channel).version();
      channel.position(HEADER);
      return content(channel, version);
    }
  }

  private Header check(FileChannel channel) throws IOException {
    long length = channel.size() - HEADER;
    ByteBuffer bytes = ByteBuffer.allocate(HEADER);
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
      // A read may bring less than was asked for.
    }
    bytes.flip();
    if (bytes.limit() >= Long.BYTES && bytes.getLong(0) != MARK) {
      throw damaged("it is not a snapshot of a Sluice store");
    }
    if (length < 0) {
      throw damaged("it is cut short, within its header");
    }
    Header header = Header.of(bytes);
    if (header.version() < 1 || header.version() > VERSION) {
      throw damaged(
          "its version is " + header.version() + " and only 1 to " + VERSION + " are known");
    }
    if (header.length() != length) {
      String problem = length < header.length() ? "cut short" : "too long";
      throw damaged("it is %s, %d bytes instead of %d"
          .formatted(problem, channel.size(), header.length() + HEADER));
    }
    if (header.checksum() != checksum(channel)) {
      throw damaged("its content does not fit its checksum");
    }
    return header;
  }

  private static long checksum(FileChannel channel) throws IOException {
    CRC32C crc = new CRC32C();
    InputStream in = new CheckedInputStream(Channels.newInputStream(channel), crc);
    byte[] buffer = new byte[BUFFER];
    int read = 0;
    while (read >= 0) {
      read = in.read(buffer);
    }
    return crc.getValue();
  }

  private Shelf content(FileChannel channel, int version) throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    try {
      return new ShelfReader(new SnapshotInput(new DataInputStream(in)), version).read();
    } catch (RuntimeException e) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "the snapshot " + file + " does not make sense: " + e, e);
    }
  }

  private SluiceException damaged(String problem) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "the snapshot " + file + " cannot be used and was left as it is: " + problem
            + "; put back a copy, or move it away to start empty");
  }

  /** Replaces the file, if all goes well, and lets go of the lock. */
  void close(Shelf shelf) {
    // Stores are closed by threads that are told to stop: that must not cost the jobs.
    boolean interrupted = Thread.interrupted();
    try {
      Path next = file.resolveSibling(file.getFileName() + ".tmp");
      write(next, shelf);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      forceFolder();
      lock.release();
    } catch (IOException | RuntimeException e) {
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "the snapshot " + file + " was not written: " + e, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Writes by plain file calls, since an interrupt would close a channel halfway. */
  private static void write(Path next, Shelf shelf) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(next.toFile(), "rw")) {
      file.setLength(0);
      file.seek(HEADER);
      CRC32C crc = new CRC32C();
      OutputStream buffer = new BufferedOutputStream(new FileOutputStream(file.getFD()), BUFFER);
      DataOutputStream out = new DataOutputStream(new CheckedOutputStream(buffer, crc));
      new ShelfWriter(new SnapshotOutput(out)).write(shelf);
      out.flush();
      Header header = new Header(MARK, VERSION, file.length() - HEADER, crc.getValue());
      file.seek(0);
      file.write(header.bytes().array());
      file.getFD().sync();
    }
  }

  /** Makes the move itself last; a system that cannot open folders does so by itself. */
  private void forceFolder() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException | ClosedByInterruptException leftToTheSystem) {
      return;
    }
  }
}
