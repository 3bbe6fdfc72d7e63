package io.sluice.embedded;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/** The PostgreSQL programs, unpacked once for each content and user. */
final class Binaries {
  private static final Object UNPACKING = new Object();

  private final Path home;
  private final RunAs user;

  private Binaries(Path home, RunAs user) {
    this.home = home;
    this.user = user;
  }

  /** Unpacks the archive below the cache folder unless someone has done so before. */
  static Binaries unpack(Archive archive, Path cache) throws IOException {
    Path home = Folders.create(cache).resolve(archive.name());
    if (!Files.isDirectory(home)) {
      unpackAlone(archive, home);
    }
    return new Binaries(home, RunAs.self());
  }

  /** The same programs, run as another user. */
  Binaries as(RunAs other) {
    return new Binaries(home, other);
  }

  /** The user that runs them. */
  RunAs user() {
    return user;
  }

  /** One at a time, over all threads and processes, so that any half-made folder found is a dead one. */
  private static void unpackAlone(Archive archive, Path home) throws IOException {
    Path lockFile = home.resolveSibling("unpack.lock");
    synchronized (UNPACKING) {
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (Files.isDirectory(home)) {
          return;
        }
        Path half = home.resolveSibling(home.getFileName() + ".half");
        Folders.delete(half);
        Files.createDirectory(half);
        archive.unpack(half);
        openFolders(half);
        syncAll(half);
        Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
        Folders.sync(home.resolveSibling("."));
      }
    }
  }

  /** The files are for every user; who gets to them is decided by the folders around. */
  private static void openFolders(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> Files.isDirectory(f, NOFOLLOW_LINKS))::iterator) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  /** Puts the files on the disk before the folder gets the name that says it is whole. */
  private static void syncAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(f -> !Files.isSymbolicLink(f))::iterator) {
        Folders.sync(file);
      }
    }
  }

  Command command(String name) {
    return Command.of(home.resolve("bin").resolve(name), user);
  }

  /** The major version of the server, such as 18. */
  int major() {
    String answer = command("postgres").run("--version").strip();
    return Integer.parseInt(answer.replaceFirst("^\\D*(\\d+).*$", "$1"));
  }
}
