package io.sluice.server.rest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the process that listens on a port, where the system lets us look: on Linux, by /proc. */
public final class PortOwner {
  private static final Path PROC = Path.of("/proc");
  private static final String LISTENS = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private PortOwner() {}

  /** Number and name of the process, such as {@code process 4711 (nginx)}. */
  public static Optional<String> find(int port) {
    try {
      Set<String> sockets = new HashSet<>(sockets(PROC.resolve("net/tcp"), port));
      sockets.addAll(sockets(PROC.resolve("net/tcp6"), port));
      return ProcessHandle.allProcesses()
          .filter(process -> holds(process.pid(), sockets))
          .findFirst()
          .map(PortOwner::words);
    } catch (IOException e) {
      return Optional.empty(); // another system, or not for us to see: the message does without
    }
  }

  private static Set<String> sockets(Path table, int port) throws IOException {
    Set<String> sockets = new HashSet<>();
    if (!Files.exists(table)) {
      return sockets;
    }
    String suffix = ":%04X".formatted(port);
    List<String> lines = Files.readAllLines(table);
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length > INODE
          && fields[ADDRESS].endsWith(suffix)
          && fields[STATE].equals(LISTENS)) {
        sockets.add("socket:[" + fields[INODE] + "]");
      }
    }
    return sockets;
  }

  private static boolean holds(long pid, Set<String> sockets) {
    Path folder = PROC.resolve(Long.toString(pid)).resolve("fd");
    if (sockets.isEmpty()) {
      return false;
    }
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(folder)) {
      for (Path descriptor : descriptors) {
        if (sockets.contains(target(descriptor))) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false; // gone, or another user's
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private static String words(ProcessHandle process) {
    String name =
        process.info().command().map(c -> c.substring(c.lastIndexOf('/') + 1)).orElse("");
    return "process " + process.pid() + (name.isEmpty() ? "" : " (" + name + ")");
  }
}
