package io.sluice.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** The packed PostgreSQL programs: a {@code .txz} file of the binaries artifact. */
final class Archive {
  /** Reads the whole of it, which only those do who unpack it. */
  private interface Content {
    byte[] read() throws IOException;
  }

  private final String name;
  private final Content content;

  private Archive(String name, Content content) {
    this.name = name;
    this.content = content;
  }

  /** The archive for this machine on the class path. */
  static Archive onClassPath() throws IOException {
    String resource = resourceName(System.getProperty("os.name"), System.getProperty("os.arch"));
    URL url = Archive.class.getResource("/" + resource);
    if (url == null) {
      throw new EmbeddedPostgresException("no PostgreSQL for this machine on the class path ("
          + resource + "): add the io.zonky.test.postgres binaries artifact for it");
    }
    Content content = () -> {
      try (InputStream in = url.openStream()) {
        return in.readAllBytes();
      }
    };
    URLConnection connection = url.openConnection();
    if (!(connection instanceof JarURLConnection packed)) {
      return new Archive(hash(content.read()), content);
    }
    packed.setUseCaches(false);
    try (JarFile jar = packed.getJarFile()) {
      return new Archive(nameOf(packed.getJarEntry()), content);
    }
  }

  /** The archive in a file, either the {@code .txz} itself or the jar around it. */
  static Archive at(Path file) throws IOException {
    if (!file.toString().endsWith(".jar")) {
      byte[] packed = Files.readAllBytes(file);
      return new Archive(hash(packed), () -> packed);
    }
    try (ZipFile jar = new ZipFile(file.toFile())) {
      ZipEntry entry = jar.stream()
          .filter(e -> e.getName().endsWith(".txz"))
          .findFirst()
          .orElseThrow(() -> new IOException("no .txz in " + file));
      return new Archive(nameOf(entry), () -> read(file, entry));
    }
  }

  private static byte[] read(Path file, ZipEntry entry) throws IOException {
    try (ZipFile jar = new ZipFile(file.toFile());
        InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
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
  String name() {
    return name;
  }

  /**
   * What the jar itself knows of the bytes, its checksum and both sizes: to read them all took as long as
   * the rest of a start.
   */
  private static String nameOf(ZipEntry entry) {
    return "%08x-%x-%x".formatted(entry.getCrc(), entry.getSize(), entry.getCompressedSize());
  }

  private static String hash(byte[] packed) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(packed);
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  void unpack(Path folder) throws IOException {
    try (InputStream in = new XZInputStream(new ByteArrayInputStream(content.read()))) {
      new Tar(in).unpack(folder);
    }
  }
}
