package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandinsTest {
  @Test
  void aPort_thatLooksLikeAnotherOfThePage_isLeftAsItIs() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("7070", "37071");
    words.put("7071", "41483");
    assertThat(new Standins(words).in("from 7070 to 7071")).isEqualTo("from 37071 to 41483");
    assertThat(Standins.none().in("7070")).isEqualTo("7070");
  }
}
