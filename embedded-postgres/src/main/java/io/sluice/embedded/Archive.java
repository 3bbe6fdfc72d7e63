package io.sluice.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** The packed PostgreSQL programs: a {@code .txz} file of the binaries artifact, in memory. */
final class Archive {
  private final byte[] packed;

  private Archive(byte[] packed) {
    this.packed = packed;
  }

  /** The archive for this machine on the class path. */
  static Archive onClassPath() throws IOException {
    String name = resourceName(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (InputStream in = Archive.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new EmbeddedPostgresException("no PostgreSQL for this machine on the class path ("
            + name + "): add the io.zonky.test.postgres binaries artifact for it");
      }
      return new Archive(in.readAllBytes());
    }
  }

  /** The archive in a file, either the {@code .txz} itself or the jar around it. */
  static Archive at(Path file) throws IOException {
    if (!file.toString().endsWith(".jar")) {
      return new Archive(Files.readAllBytes(file));
    }
    try (ZipFile jar = new ZipFile(file.toFile())) {
      var entry = jar.stream()
          .filter(e -> e.getName().endsWith(".txz"))
          .findFirst()
          .orElseThrow(() -> new IOException("no .txz in " + file));
      try (InputStream in = jar.getInputStream(entry)) {
        return new Archive(in.readAllBytes());
      }
    }
  }

  static String resourceName(String os, String architecture) {
    String system = os.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    String processor = switch (architecture) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default -> architecture;
    };
    return "postgres-" + system + "-" + processor + ".txz";
  }

  /** A name for the content, the same for the same bytes only. */
  String hash() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(packed);
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  void unpack(Path folder) throws IOException {
    try (InputStream in = new XZInputStream(new ByteArrayInputStream(packed))) {
      new Tar(in).unpack(folder);
    }
  }
}
