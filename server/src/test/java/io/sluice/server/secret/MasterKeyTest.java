package io.sluice.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the master key comes from, and what is not one. */
class MasterKeyTest {
  private static final String KEY = "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=";
  private static final String OTHER = "P8TM/nRYcOLA2Z9x8w/wZWyN7dQcwdfT03aw2+aF4vM=";

  @TempDir
  private Path folder;

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> MasterKey.parse("the key", text))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION))
        .hasMessageContaining("the key")
        .hasMessageContaining(why)
        .hasMessageNotContaining(text);
  }

  @Test
  void parse_takes32BytesOfBase64_alone() {
    assertThat(MasterKey.parse("k", KEY + "\n").toString()).hasSize(8);
    assertThat(MasterKey.parse("k", KEY.replace('/', '_').replace("=", "")).toString())
        .isEqualTo(MasterKey.parse("k", KEY).toString());
    refused("c2hvcnQ=", "32 random bytes");
    refused("not base64 !!", "32 random bytes");
    refused(KEY + KEY, "32 random bytes");
    refused("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=", "not random enough");
  }

  @Test
  void parse_takesTwoDuringAChange_theFirstWraps() {
    MasterKey both = MasterKey.parse("k", OTHER + "," + KEY);
    assertThat(both.id()).isEqualTo(MasterKey.parse("k", OTHER).id());
    assertThat(both.aead(MasterKey.parse("k", KEY).id())).isPresent();
  }

  @Test
  void load_takesTheSettingBeforeTheFileBeforeTheFolder() throws IOException {
    Path file = Files.writeString(folder.resolve("named"), OTHER);
    SecureRandom random = new SecureRandom();
    String given = new MasterKeySource(KEY, file, folder, true).load(random).id();
    assertThat(given).isEqualTo(MasterKey.parse("k", KEY).id());
    String named = new MasterKeySource(null, file, folder, true).load(random).id();
    assertThat(named).isEqualTo(MasterKey.parse("k", OTHER).id());
  }

  @Test
  void load_makesOneForItsOwnerOnly_andFindsItAgain() throws IOException {
    MasterKeySource source = new MasterKeySource(null, null, folder.resolve("data"), false);
    String made = source.load(new SecureRandom()).id();
    Path file = folder.resolve("data").resolve(MasterKeySource.FILE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(source.load(new SecureRandom()).id()).isEqualTo(made);
    assertThat(new MasterKeySource(null, null, folder.resolve("data"), true)
            .load(new SecureRandom())
            .id())
        .isEqualTo(made);
  }

  @Test
  void load_refusesProductionWithoutAKey_andMakesNone() {
    MasterKeySource source = new MasterKeySource(null, null, folder, true);
    assertThatThrownBy(() -> source.load(new SecureRandom()))
        .hasMessageContaining("SLUICE_MASTER_KEY")
        .hasMessageContaining("openssl rand -base64 32");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void source_doesNotPrintTheKey() {
    assertThat(new MasterKeySource(KEY, null, folder, true).toString()).doesNotContain(KEY);
  }
}
