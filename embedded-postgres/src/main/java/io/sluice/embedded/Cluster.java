package io.sluice.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The files of one PostgreSQL in its data folder: the database itself, its password and its log. */
final class Cluster {
  static final String USER = "sluice";

  private static final Pattern PASSWORD = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final long LOG_LIMIT = 10_000_000;
  /**
   * What a password that a person made is stretched by. Ours is 256 random bits, which gain nothing by it,
   * while every new connection costs both sides the work: it has one.
   */
  private static final int USUAL_ITERATIONS = 4096;

  private final Path folder;

  /** The cluster in a folder that this process owns. */
  Cluster(Path folder) {
    this.folder = folder;
  }

  Path data() {
    return folder.resolve("pgdata");
  }

  Path log() {
    return folder.resolve("server.log");
  }

  private Path passwordFile() {
    return folder.resolve("password");
  }

  /** Makes the database if there is none, and refuses one that these binaries cannot open. */
  void prepare(Binaries binaries) throws IOException {
    if (Files.exists(data())) {
      requireMajor(binaries.major());
      password();
    } else {
      writePassword();
      initialise(binaries);
    }
    if (Files.exists(log()) && Files.size(log()) > LOG_LIMIT) {
      Files.move(log(), folder.resolve("server.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void requireMajor(int major) throws IOException {
    Path file = data().resolve("PG_VERSION");
    String found = Files.exists(file) ? Files.readString(file).strip() : "none";
    if (!found.equals(Integer.toString(major))) {
      throw new EmbeddedPostgresException(
          "data folder " + folder + " was made by PostgreSQL " + found
              + " and cannot be opened by PostgreSQL " + major
              + ": use the matching version, or dump and restore into a new folder");
    }
  }

  /** Under another name until it is whole, so that a cut-off start leaves nothing to trip over. */
  private void initialise(Binaries binaries) throws IOException {
    Path half = folder.resolve("pgdata.half");
    Folders.delete(half);
    List<String> arguments = new ArrayList<>(List.of(
        "--pgdata=" + half,
        "--username=" + USER,
        "--pwfile=" + passwordFile(),
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums"));
    int major = binaries.major();
    if (major >= 17) {
      arguments.addAll(List.of("--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
    }
    if (major >= 16) {
      arguments.add("--set=scram_iterations=1");
    }
    Files.createDirectory(
        half, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    binaries.user().give(half);
    binaries.user().give(passwordFile());
    binaries.command("initdb").run(arguments.toArray(String[]::new));
    if (major >= 16) {
      Path settings = half.resolve("postgresql.conf");
      Files.writeString(
          settings, "scram_iterations = " + USUAL_ITERATIONS + "\n", StandardOpenOption.APPEND);
      Folders.sync(settings);
    }
    Files.move(half, data(), StandardCopyOption.ATOMIC_MOVE);
    Folders.sync(folder);
  }

  private void writePassword() throws IOException {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    Path half = folder.resolve("password.half");
    Files.deleteIfExists(half);
    Files.createFile(
        half, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(half, Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n");
    Folders.sync(half);
    Files.move(half, passwordFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The password, or a clear word when its file is lost or damaged. */
  String password() throws IOException {
    Path file = passwordFile();
    if (!Files.exists(file)) {
      throw new EmbeddedPostgresException(
          "password file " + file + " is missing: put it back from a backup of the data folder");
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    if (!PASSWORD.matcher(text).matches()) {
      throw new EmbeddedPostgresException(
          "password file " + file + " is damaged: put it back from a backup of the data folder");
    }
    return text;
  }

  /** The last lines of the server's log, for messages. */
  String logTail(long from) {
    try {
      byte[] bytes = Files.exists(log()) ? Files.readAllBytes(log()) : new byte[0];
      int start = (int) Math.min(from, bytes.length);
      String text = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "(cannot read " + log() + ": " + e.getMessage() + ")";
    }
  }

  long logSize() throws IOException {
    return Files.exists(log()) ? Files.size(log()) : 0;
  }
}
