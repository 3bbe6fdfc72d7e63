package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The user that PostgreSQL runs as. Its programs refuse to work for root. Started by root, they run as a user of
 * their own where that one can reach the data folder. Elsewhere they run in a user namespace in which root is
 * nobody; outside of it they still have root's rights on files.
 */
final class RunAs {
  /** A user by numbers, as the kernel knows it. */
  record Account(int uid, int gid) {}

  private static final RunAs SELF = new RunAs(Kind.SELF, new Account(-1, -1));
  private static final RunAs NAMESPACE = new RunAs(Kind.NAMESPACE, new Account(0, 0));
  /** The mode of a folder that is its owner's alone. */
  static final Set<PosixFilePermission> CLOSED = PosixFilePermissions.fromString("rwx------");

  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x---");
  private static final Path PASSWD = Path.of("/etc/passwd");

  private enum Kind {
    SELF,
    NAMESPACE,
    OTHER
  }

  private final Kind kind;
  private final Account account;

  private RunAs(Kind kind, Account account) {
    this.kind = kind;
    this.account = account;
  }

  /** The user of this process; root in a namespace. */
  static RunAs self() {
    return isRoot() ? NAMESPACE : SELF;
  }

  /** Whoever owns these data; the user of this process where they are its own, or not there yet. */
  static RunAs ownerOf(Path data) throws IOException {
    if (!isRoot()) {
      return SELF;
    }
    Account owner = Files.exists(data) ? accountOf(data) : NAMESPACE.account;
    return owner.uid == 0 ? NAMESPACE : other(owner);
  }

  /** Another user, which only root can become. */
  static RunAs other(Account account) {
    return new RunAs(Kind.OTHER, account);
  }

  /** The account of a name, where the machine has one. */
  static Optional<Account> named(String name) {
    if (!Files.isReadable(PASSWD)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(PASSWD)) {
      return lines
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > 3 && fields[0].equals(name))
          .map(fields -> new Account(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // a file of another form: there is no such user for us
    }
  }

  static Account accountOf(Path file) throws IOException {
    return new Account((Integer) Files.getAttribute(file, "unix:uid"), (Integer)
        Files.getAttribute(file, "unix:gid"));
  }

  Account account() {
    return account;
  }

  boolean isOther() {
    return kind == Kind.OTHER;
  }

  /** The beginning of a command line that has the rest run as this user. */
  List<String> prefix() {
    return switch (kind) {
      case SELF -> List.of();
      case NAMESPACE -> List.of(program("unshare"), "--user");
      case OTHER ->
        List.of(
            program("setpriv"),
            "--reuid=" + account.uid,
            "--regid=" + account.gid,
            "--clear-groups",
            "--no-new-privs");
    };
  }

  private static String program(String name) {
    return Command.onPath(name)
        .orElseThrow(() -> new EmbeddedPostgresException("PostgreSQL does not run as root, and "
            + name + " to leave root is missing:" + " install util-linux or run as another user"))
        .toString();
  }

  /** Gives a file to this user. */
  void give(Path file) throws IOException {
    if (isOther()) {
      Files.setAttribute(file, "unix:gid", account.gid);
      Files.setAttribute(file, "unix:uid", account.uid);
    }
  }

  /** Lets the group of another user through a folder that is root's alone; true when it was. */
  boolean letThrough(Path folder) throws IOException {
    boolean closed = isOther()
        && Files.getAttribute(folder, "unix:uid").equals(0)
        && Files.getPosixFilePermissions(folder).equals(CLOSED);
    if (closed) {
      Files.setAttribute(folder, "unix:gid", account.gid);
      Files.setPosixFilePermissions(folder, PASSABLE);
    }
    return closed;
  }

  static boolean isRoot() {
    try {
      Path self = Path.of("/proc/self");
      return Files.exists(self)
          ? Files.getAttribute(self, "unix:uid").equals(0)
          : "root".equals(System.getProperty("user.name"));
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot tell whether this process runs as root", e);
    }
  }
}
