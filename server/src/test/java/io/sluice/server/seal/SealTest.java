package io.sluice.server.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Tokens that callers carry and cannot make or change. */
class SealTest {
  private final Seal seal = new Seal(new byte[] {1, 2, 3});

  @Test
  void token_isOpened_forItsPurposeAlone() {
    String token = seal.seal("cursor a", "text ü");
    assertThat(seal.open("cursor a", token)).contains("text ü");
    assertThat(seal.open("cursor b", token)).isEmpty();
    assertThat(new Seal(new byte[] {1, 2, 4}).open("cursor a", token)).isEmpty();
  }

  @Test
  void purposeAndText_cannotBeShifted() {
    String token = seal.seal("ab", "c");
    byte[] bytes = Base64.getUrlDecoder().decode(token.substring(1));
    byte[] shifted = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, shifted, 0, 16);
    shifted[16] = 'b';
    shifted[17] = 'c';
    String forged =
        token.charAt(0) + Base64.getUrlEncoder().withoutPadding().encodeToString(shifted);
    assertThat(seal.open("a", forged)).isEmpty();
  }

  /** Leases are arguments of commands, where a leading dash makes an option of a word. */
  @Test
  void token_neverBeginsWithADash() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(seal.seal("p", "text " + i)).matches("[A-Za-z0-9].*");
    }
  }

  @Test
  void everyChange_isSeen() {
    String token = seal.seal("p", "some text");
    for (int i = 0; i < token.length(); i++) {
      for (char c : new char[] {'A', 'B', '_', '='}) {
        if (token.charAt(i) != c) {
          String changed = token.substring(0, i) + c + token.substring(i + 1);
          assertThat(seal.open("p", changed)).as(changed).isEmpty();
        }
      }
    }
    for (String strange : new String[] {"", "A", token + "=", token + "A", " " + token, "ü", "%"}) {
      assertThat(seal.open("p", strange)).as(strange).isEmpty();
    }
  }
}
