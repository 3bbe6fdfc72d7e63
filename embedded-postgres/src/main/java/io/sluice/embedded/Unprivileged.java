package io.sluice.embedded;

import io.sluice.embedded.RunAs.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of root for a PostgreSQL that is yet to be made: a user who can reach its folder and run its
 * programs. Folders that are root's alone let the group of that user through, and nobody else.
 */
final class Unprivileged {
  private static final Logger log = LoggerFactory.getLogger(Unprivileged.class);
  /** One made for this comes first; everybody has the other. */
  private static final List<String> USERS = List.of("sluice", "nobody");

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Path PROC = Path.of("/proc");

  private final Path folder;
  private final Path around;

  /**
   * @param folder the folder of the PostgreSQL
   * @param around a folder around it that the caller has made for itself
   */
  Unprivileged(Path folder, Path around) {
    this.folder = folder;
    this.around = around;
  }

  /** The user to run as, with the programs unpacked where it can run them; empty where there is none. */
  Optional<Binaries> find(Archive archive, Path cache) throws IOException {
    if (!RunAs.isRoot() || Command.onPath("setpriv").isEmpty()) {
      return Optional.empty();
    }
    for (String name : USERS) {
      Optional<Account> account = RunAs.named(name).filter(known -> known.uid() != 0);
      if (account.isPresent()) {
        Optional<Binaries> found = of(account.get(), archive, cache);
        if (found.isPresent()) {
          log.info("PostgreSQL runs as user {}, because this process is root's", name);
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Binaries> of(Account account, Archive archive, Path cache) throws IOException {
    List<Path> opened = new ArrayList<>();
    Optional<Binaries> found = Optional.empty();
    try {
      RunAs user = RunAs.other(account);
      for (Path own : List.of(around, folder, Folders.create(cache))) {
        if (user.letThrough(own)) {
          opened.add(own);
        }
      }
      if (reaches(account) && isWatchable(user)) {
        found = Optional.of(Binaries.unpack(archive, cache).as(user)).filter(Unprivileged::runs);
      }
      return found;
    } finally {
      if (found.isEmpty()) {
        for (Path own : opened) {
          Files.setPosixFilePermissions(own, RunAs.CLOSED);
          Files.setAttribute(own, "unix:gid", 0);
        }
      }
    }
  }

  private boolean reaches(Account account) throws IOException {
    for (Path up = folder; up != null; up = up.getParent()) {
      if (!passes(up, account)) {
        return false;
      }
    }
    return true;
  }

  private static boolean passes(Path up, Account account) throws IOException {
    Account owner = RunAs.accountOf(up);
    PosixFilePermission needed = PosixFilePermission.OTHERS_EXECUTE;
    if (owner.uid() == account.uid()) {
      needed = PosixFilePermission.OWNER_EXECUTE;
    } else if (owner.gid() == account.gid()) {
      needed = PosixFilePermission.GROUP_EXECUTE;
    }
    return Files.getPosixFilePermissions(up).contains(needed);
  }

  /**
   * True when this process may see where one of the user's processes works, which not every container lets
   * root do. Without that, nobody could say whether a PostgreSQL that a killed server left still runs.
   */
  private static boolean isWatchable(RunAs user) throws IOException {
    List<String> line = new ArrayList<>(user.prefix());
    line.addAll(List.of("sleep", String.valueOf(PATIENCE.toSeconds())));
    Process process = new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try {
      Path seen = PROC.resolve(String.valueOf(process.pid()));
      return Await.until(
              PATIENCE, () -> !process.isAlive() || isOf(seen, user.account().uid()))
          && Files.isSymbolicLink(seen.resolve("cwd"))
          && !Files.readSymbolicLink(seen.resolve("cwd")).toString().isEmpty();
    } catch (IOException e) {
      return false;
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean isOf(Path process, int uid) {
    try {
      return Files.getAttribute(process, "unix:uid").equals(uid);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean runs(Binaries binaries) {
    try {
      return binaries.major() > 0;
    } catch (EmbeddedPostgresException e) {
      log.debug("PostgreSQL cannot be run as another user", e);
      return false;
    }
  }
}
