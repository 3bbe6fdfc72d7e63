package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache that root fills and everybody reads. */
class SharedCacheTest {
  private static final int SOMEBODY = 65_534;

  @TempDir
  Path parent;

  @BeforeEach
  void beRoot() throws IOException {
    assumeTrue(RunAs.isRoot(), "only root has a cache for others");
    mode(parent, "rwxr-xr-x");
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void cache_isMadeForEverybodyToRead_andFoundAgain() throws Exception {
    Path cache = new SharedCache(parent).open().orElseThrow();
    assertThat(cache).isEqualTo(parent.resolve("sluice/postgres"));
    for (Path folder : new Path[] {cache, cache.getParent()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
          .isEqualTo("rwxr-xr-x");
    }
    assertThat(new SharedCache(parent).open()).contains(cache);
  }

  @Test
  void cache_thatAnotherUserCanWriteTo_isNotUsed() throws Exception {
    Path cache = new SharedCache(parent).open().orElseThrow();
    mode(cache, "rwxrwxr-x");
    assertThat(new SharedCache(parent).open()).isEmpty();
    mode(cache, "rwxr-xr-x");
    Files.setAttribute(cache.getParent(), "unix:uid", SOMEBODY);
    assertThat(new SharedCache(parent).open()).isEmpty();
    Files.setAttribute(cache.getParent(), "unix:uid", 0);
    mode(parent, "rwxrwxrwx");
    assertThat(new SharedCache(parent).open()).isEmpty();
    mode(parent, "rwxr-xr-x");
    assertThat(new SharedCache(parent).open()).contains(cache);
  }

  @Test
  void cache_behindALink_orWithoutAParent_isNotUsed() throws Exception {
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Files.createSymbolicLink(parent.resolve("sluice"), elsewhere);
    assertThat(new SharedCache(parent).open()).isEmpty();
    assertThat(new SharedCache(parent.resolve("missing")).open()).isEmpty();
  }
}
