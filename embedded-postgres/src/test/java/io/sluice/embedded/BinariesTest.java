package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class BinariesTest {
  @TempDir
  Path folder;

  @Test
  void unpack_byTwoProcessesAtOnce_givesOneWholeCopy() throws Exception {
    Path cache = folder.resolve("cache");
    // What a process that died while unpacking leaves.
    Files.createDirectories(cache.resolve(Archive.onClassPath().name() + ".half/bin"));
    Owner one = Owner.start(folder.resolve("one"), cache);
    Owner two = Owner.start(folder.resolve("two"), cache);
    assertThat(one.answer()).startsWith("ready");
    assertThat(two.answer()).startsWith("ready");
    one.finish();
    two.finish();
    try (Stream<Path> found = Files.list(cache)) {
      assertThat(found.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(Archive.onClassPath().name(), "unpack.lock");
    }
  }

  @Test
  void otherMajor_isRefused_andItsOwnVersionStillOpensIt() throws Exception {
    assumeTrue(
        Archive.resourceName(System.getProperty("os.name"), System.getProperty("os.arch"))
            .equals("postgres-linux-x86_64.txz"),
        "PostgreSQL 14 is at hand for Linux on amd64 only");
    Path fourteen = Path.of(System.getProperty("sluice.test.postgres14"));
    try (EmbeddedPostgres old =
        EmbeddedPostgres.builder(folder).binaries(fourteen).start()) {
      assertThat(Sql.ask(old, "show server_version")).startsWith("14.");
    }
    assertThatThrownBy(() -> EmbeddedPostgres.start(folder))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("made by PostgreSQL 14")
        .hasMessageContaining("PostgreSQL 18");
    EmbeddedPostgres.builder(folder).binaries(fourteen).start().stop();
  }

  @Test
  void name_isOfTheContent_whereverItIs() throws Exception {
    byte[] packed = {1, 2, 3, 4, 5, 6, 7, 8};
    Path jar = jar("a.jar", packed);
    assertThat(Archive.at(jar("same.jar", packed)).name())
        .isEqualTo(Archive.at(jar).name());
    Path file = Files.write(folder.resolve("a.txz"), packed);
    assertThat(Archive.at(Files.copy(file, folder.resolve("same.txz"))).name())
        .isEqualTo(Archive.at(file).name());
    packed[3] = 0;
    assertThat(Archive.at(jar("other.jar", packed)).name())
        .isNotEqualTo(Archive.at(jar).name());
    assertThat(Archive.at(Files.write(folder.resolve("other.txz"), packed)).name())
        .isNotEqualTo(Archive.at(file).name());
  }

  private Path jar(String name, byte[] packed) throws IOException {
    Path file = folder.resolve(name);
    try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new ZipEntry("postgres.txz"));
      jar.write(packed);
      jar.closeEntry();
    }
    return file;
  }

  @Test
  void tar_refusesWhatLeavesTheFolder() {
    assertThatThrownBy(() -> unpack("../evil", '5', "")).hasMessageContaining("leaves its folder");
    assertThatThrownBy(() -> unpack("link", '2', "../../etc/passwd"))
        .hasMessageContaining("leaves its folder");
    assertThatThrownBy(() -> unpack("pipe", '6', "")).hasMessageContaining("unknown type");
    assertThatThrownBy(() -> new Tar(new ByteArrayInputStream(new byte[100])).unpack(folder))
        .hasMessageContaining("ends within");
  }

  private void unpack(String name, char type, String link) throws IOException {
    byte[] block = new byte[512];
    byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
    byte[] linkBytes = link.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(nameBytes, 0, block, 0, nameBytes.length);
    System.arraycopy(linkBytes, 0, block, 157, linkBytes.length);
    block[156] = (byte) type;
    new Tar(new ByteArrayInputStream(block)).unpack(folder);
  }
}
