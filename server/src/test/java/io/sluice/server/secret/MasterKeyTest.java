package io.sluice.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** Where the master key comes from, and what is not one. */
class MasterKeyTest {
  private static final String KEY = "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=";
  private static final String OTHER = "P8TM/nRYcOLA2Z9x8w/wZWyN7dQcwdfT03aw2+aF4vM=";

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
  void generate_makesWhatParseTakes() {
    SecureRandom random = new SecureRandom();
    String made = MasterKey.generate(random);
    assertThat(MasterKey.parse("k", made).toString()).hasSize(8);
    assertThat(MasterKey.generate(random)).isNotEqualTo(made);
  }
}
