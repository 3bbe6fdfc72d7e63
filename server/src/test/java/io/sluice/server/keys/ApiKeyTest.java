package io.sluice.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a key looks. */
class ApiKeyTest {
  private final ApiKey key = ApiKey.make(new SecureRandom());

  @Test
  void key_hasItsForm_andEnoughChance() {
    assertThat(key.text()).matches("sluice_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}");
    assertThat(key.text()).startsWith("sluice_" + key.publicId() + "_");
    assertThat(ApiKey.SECRET * Math.log(62) / Math.log(2)).isGreaterThan(160);
    assertThat(ApiKey.parse(key.text())).contains(key);
    Set<String> some = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      some.add(ApiKey.make(new SecureRandom()).publicId());
    }
    assertThat(some).hasSize(1_000);
  }

  @Test
  void everyChangedCharacter_isNoticedWithoutALook() {
    for (int i = 0; i < key.text().length(); i++) {
      char other = key.text().charAt(i) == 'x' ? 'y' : 'x';
      String changed = key.text().substring(0, i) + other + key.text().substring(i + 1);
      assertThat(ApiKey.parse(changed)).as(changed).isEmpty();
    }
  }

  @Test
  void everyPiece_isNoKey() {
    for (int i = 0; i < key.text().length(); i++) {
      assertThat(ApiKey.parse(key.text().substring(0, i))).isEmpty();
      assertThat(ApiKey.parse(key.text().substring(i) + key.text().substring(0, i)))
          .isEqualTo(i == 0 ? ApiKey.parse(key.text()) : Optional.empty());
    }
    assertThat(ApiKey.parse(key.text() + "0")).isEmpty();
    assertThat(ApiKey.parse(key.text() + "\n")).isEmpty();
  }

  @Test
  void hash_isOfTheWholeKey_andTextSaysNoSecret() {
    assertThat(key.hash()).matches("[0-9a-f]{64}");
    assertThat(key.matches(key.hash())).isTrue();
    assertThat(key.matches(ApiKey.make(new SecureRandom()).hash())).isFalse();
    assertThat(key.matches("")).isFalse();
    assertThat(key.matches(key.hash().substring(0, 10))).isFalse();
    assertThat(key.toString()).isEqualTo("sluice_" + key.publicId());
  }
}
