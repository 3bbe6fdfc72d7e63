package io.sluice.server.doctor;

import io.sluice.cli.Console;
import io.sluice.server.config.Config;
import io.sluice.server.doctor.Fault.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The data folder and the files that must be secret. */
final class FolderChecks {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private FolderChecks() {}

  static List<Finding> writable(Patient patient) {
    Path folder = patient.config().running().data().toAbsolutePath().normalize();
    Path there = nearest(folder);
    try {
      // A right can be there and writing fail all the same: the disk may be mounted read-only.
      Files.delete(Files.createTempFile(there, ".sluice-doctor", ""));
      List<Finding> findings = new ArrayList<>(room(patient, folder, there));
      if (there.equals(folder) && !isOurs(folder)) {
        findings.add(Fault.FOLDER_OWNER.found(folder, Files.getOwner(folder), user()));
      }
      return List.copyOf(findings);
    } catch (IOException e) {
      return List.of(Fault.FOLDER_CLOSED.found(folder, e.getClass().getSimpleName()));
    }
  }

  /** The folder itself where it is there, or the one that it would be made in. */
  private static Path nearest(Path folder) {
    for (Path up = folder; up != null; up = up.getParent()) {
      if (Files.exists(up)) {
        return up;
      }
    }
    return folder;
  }

  private static List<Finding> room(Patient patient, Path folder, Path there) throws IOException {
    long free = Files.getFileStore(there).getUsableSpace();
    String megabytes = String.valueOf(free >> 20);
    return List.of(
        free < patient.needs().freeBytes()
            ? Fault.DISK_LOW.found(folder, megabytes)
            : Topic.DATA.ok("Data folder " + folder
                + (there.equals(folder) ? "" : ", which the first start makes,")
                + " can be written to, "
                + megabytes + " MB are free."));
  }

  /**
   * That a process has the folder: well if it is the server with these settings, which is known by the
   * address that it left there; otherwise that server could not be started.
   */
  static Finding inUse(Patient patient, long owner) {
    Path folder = patient.config().running().data().toAbsolutePath().normalize();
    int port = patient.config().listening().port();
    return port == 0 || address(folder).endsWith(":" + port)
        ? Topic.DATA.ok("It is in use by the server with process " + owner + ".")
        : Fault.FOLDER_IN_USE.found(folder, owner, port);
  }

  private static String address(Path folder) {
    try {
      Path note = folder.resolve(Console.ADDRESS_FILE);
      return Files.exists(note) ? Files.readString(note).strip() : "";
    } catch (IOException e) {
      return ""; // taken away just now: whoever stops is not the server that was asked for
    }
  }

  static boolean isOurs(Path folder) throws IOException {
    return Files.getOwner(folder).getName().equals(user());
  }

  private static String user() {
    return System.getProperty("user.name", "");
  }

  static List<Finding> keyFiles(Patient patient) {
    Config config = patient.config();
    Path data = config.running().data();
    List<Finding> open = Stream.of(
            data.resolve("admin.key"),
            data.resolve("master.key"),
            data.resolve("postgres").resolve("password"),
            config.listening().tlsKey())
        .filter(FolderChecks::isReadableByOthers)
        .map(file -> Fault.KEY_READABLE.found(String.valueOf(file)))
        .toList();
    return open.isEmpty() ? List.of(Topic.DATA.ok("Key files are closed to other users.")) : open;
  }

  /** Run by root, PostgreSQL is another user's only where that user can reach the folder. */
  static List<Finding> postgresUser(Patient patient) {
    Path made = patient.config().running().data().resolve("postgres").resolve("pgdata");
    try {
      boolean rootsOwn = patient.config().postgres().url() == null
          && Files.exists(made)
          && Files.getAttribute(made, "unix:uid").equals(0);
      return rootsOwn ? List.of(Fault.POSTGRES_AS_ROOT.found(made)) : List.of();
    } catch (IOException | UnsupportedOperationException e) {
      return List.of(); // a folder that cannot be looked at is a problem of its own
    }
  }

  private static boolean isReadableByOthers(@Nullable Path file) {
    try {
      return file != null
          && Files.exists(file)
          && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // cannot be told here; a file that cannot be read is a problem of its own
    }
  }
}
