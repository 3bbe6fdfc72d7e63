package io.sluice.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.TestDatabase;
import io.sluice.testkit.Together;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the vault keeps, from whom, and what it says when it cannot. */
class VaultTest {
  private static final Place PLACE = new Place("acme", "url_group", "auth", "42");

  private final String keyText = randomKey();
  private final MasterKey key = MasterKey.parse("test", keyText);
  private TestDatabase tables;
  private Vault vault;

  @BeforeEach
  void open() {
    tables = TestDatabase.create();
    vault = new Vault(tables.database(), key).start();
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private static String randomKey() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void doesNotOpen(Vault vault, Place place, String sealed) {
    assertThatThrownBy(() -> vault.open(place, sealed))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("does not open there")
        .hasMessageNotContaining(sealed);
  }

  @Test
  void seal_isOpenedByAnotherProcess_andIsNotTheSecret() {
    String sealed = vault.seal(PLACE, "päss-word");
    assertThat(sealed).startsWith("sluice-sealed:").doesNotContain("word");
    assertThat(vault.seal(PLACE, "päss-word")).isNotEqualTo(sealed);
    assertThat(new Vault(tables.database(), key).start().open(PLACE, sealed))
        .isEqualTo("päss-word");
  }

  @Test
  void open_isRefused_atAnyOtherPlace() {
    String sealed = vault.seal(PLACE, "secret");
    vault.seal(new Place("other", "url_group", "auth", "42"), "gives the other tenant a key");
    doesNotOpen(vault, new Place("acme", "url_group", "auth", "43"), sealed);
    doesNotOpen(vault, new Place("acme", "url_group", "signing", "42"), sealed);
    doesNotOpen(vault, new Place("acme", "other", "auth", "42"), sealed);
    doesNotOpen(vault, new Place("other", "url_group", "auth", "42"), sealed);
    doesNotOpen(vault, new Place("acme", "url_group|4:auth", "", "42"), sealed);
  }

  @Test
  void open_isRefused_forChangedText() {
    String sealed = vault.seal(PLACE, "secret");
    char last = sealed.charAt(sealed.length() - 3);
    String changed = sealed.substring(0, sealed.length() - 3)
        + (last == 'A' ? 'B' : 'A')
        + sealed.substring(sealed.length() - 2);
    doesNotOpen(vault, PLACE, changed);
    doesNotOpen(vault, PLACE, sealed.substring(0, sealed.length() - 4));
    assertThatThrownBy(() -> vault.open(PLACE, "plain")).hasMessageContaining("not a sealed");
  }

  @Test
  void start_isRefused_underAnotherMasterKey_andSaysSo() {
    MasterKey other = MasterKey.parse("test", randomKey());
    assertThatThrownBy(() -> new Vault(tables.database(), other).start())
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION))
        .hasMessageContaining("were encrypted with another master key");
  }

  @Test
  void start_withANewMasterKeyBeforeTheOldOne_changesNothingByItself() {
    String sealed = vault.seal(PLACE, "secret");
    Vault both =
        new Vault(tables.database(), MasterKey.parse("test", randomKey() + ", " + keyText)).start();
    assertThat(both.open(PLACE, sealed)).isEqualTo("secret");
    Place other = new Place("other", "url_group", "auth", "1");
    String sealedByBoth = both.seal(other, "of a tenant whose key they made");
    assertThat(new Vault(tables.database(), key).start().open(other, sealedByBoth))
        .as("a server that has the old key alone is not shut out")
        .isEqualTo("of a tenant whose key they made");
  }

  @Test
  void dataKeySwappedInTheDatabase_isNoticed() {
    String sealed = vault.seal(PLACE, "secret");
    vault.seal(new Place("other", "t", "c", "1"), "x");
    tables.execute("update data_key set wrapped ="
        + " (select wrapped from data_key where tenant = 'other') where tenant = 'acme'");
    Vault fresh = new Vault(tables.database(), key).start();
    assertThatThrownBy(() -> fresh.open(PLACE, sealed))
        .hasMessageContaining("tenant 'acme' was changed in the database");
  }

  @Test
  void firstSeals_atOnceInManyProcesses_agreeOnOneKey() {
    var sealed = Together.run(
        8, n -> () -> new Vault(tables.database(), key).start().seal(PLACE, "the same"));
    assertThat(sealed).allSatisfy(s -> assertThat(vault.open(PLACE, s)).isEqualTo("the same"));
  }

  @Test
  void dump_holdsNeitherSecretNorKey() {
    vault.seal(PLACE, "secret");
    byte[] raw = Base64.getDecoder().decode(keyText);
    assertThat(tables.dump())
        .contains("acme")
        .doesNotContain(keyText, HexFormat.of().formatHex(raw));
  }
}
