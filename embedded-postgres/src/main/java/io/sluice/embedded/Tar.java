package io.sluice.embedded;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A tar stream as the binaries artifact has it: folders, files and links with names of at most 100
 * bytes. Anything else is refused rather than guessed at.
 */
final class Tar {
  private static final int BLOCK = 512;

  private final InputStream in;
  private final byte[] header = new byte[BLOCK];

  Tar(InputStream in) {
    this.in = in;
  }

  /** Unpacks everything into the folder. */
  void unpack(Path folder) throws IOException {
    Path root = folder.normalize();
    while (nextHeader()) {
      String name = text(0, 100);
      Path target = inside(root, root.resolve(name), name);
      char type = (char) header[156];
      switch (type) {
        case '5' -> Files.createDirectories(target);
        case '0', '\0' -> writeFile(target);
        case '2' -> {
          String link = text(157, 100);
          inside(root, target.resolveSibling(link), name);
          Files.createDirectories(target.resolveSibling("."));
          Files.createSymbolicLink(target, Path.of(link));
        }
        default ->
          throw new IOException("archive has an entry of unknown type " + type + ": " + name);
      }
    }
  }

  private static Path inside(Path root, Path target, String name) throws IOException {
    Path normal = target.normalize();
    if (!normal.startsWith(root)) {
      throw new IOException("archive entry leaves its folder: " + name);
    }
    return normal;
  }

  private boolean nextHeader() throws IOException {
    if (in.readNBytes(header, 0, BLOCK) < BLOCK) {
      throw new EOFException("archive ends within an entry");
    }
    return header[0] != 0;
  }

  private void writeFile(Path target) throws IOException {
    long size = Long.parseLong(text(124, 12).strip(), 8);
    int mode = Integer.parseInt(text(100, 8).strip(), 8);
    Files.createDirectories(target.resolveSibling("."));
    try (OutputStream out = Files.newOutputStream(target)) {
      copy(out, size);
    }
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    boolean executable = (mode & 0100) != 0;
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private void copy(OutputStream out, long size) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    for (long left = size; left > 0; ) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (count < 0) {
        throw new EOFException("archive ends within a file");
      }
      out.write(buffer, 0, count);
      left -= count;
    }
  }

  private String text(int offset, int length) {
    int end = offset;
    while (end < offset + length && header[end] != 0) {
      end++;
    }
    return new String(header, offset, end - offset, StandardCharsets.UTF_8);
  }
}
