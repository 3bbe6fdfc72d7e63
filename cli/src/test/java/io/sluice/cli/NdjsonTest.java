package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of jobs, and what is said of wrong ones. */
class NdjsonTest {
  private static Ndjson lines(String text, long skip) {
    return lines(text.getBytes(StandardCharsets.UTF_8), skip);
  }

  private static Ndjson lines(byte[] bytes, long skip) {
    return new Ndjson(new ByteArrayInputStream(bytes), skip);
  }

  private static List<String> all(Ndjson lines) throws IOException {
    List<String> all = new ArrayList<>();
    for (Ndjson.Line line = lines.next(); line != null; line = lines.next()) {
      all.add(line.number() + " " + Json.compact(line.job()));
    }
    return all;
  }

  private static String wrong(Ndjson lines) {
    return catchThrowableOfType(Ndjson.WrongLine.class, () -> all(lines)).getMessage();
  }

  @Test
  void lines_areCountedFromOne_emptyOnesToo() throws IOException {
    assertThat(all(lines("{\"a\": 1}\n\n  \n{\"b\":\"ü\"}", 0)))
        .containsExactly("1 {\"a\":1}", "4 {\"b\":\"ü\"}");
  }

  @Test
  void skip_leavesOutLines_whateverTheyAre() throws IOException {
    assertThat(all(lines("nonsense\n{\"a\":1}\r\n{\"a\":2}", 1)))
        .containsExactly("2 {\"a\":1}", "3 {\"a\":2}");
  }

  @Test
  void wrongLine_isNamed_withWhatIsWrong() {
    assertThat(wrong(lines("{\"a\":1}\n{\"a\":", 0))).startsWith("line 2 is not valid JSON");
    assertThat(wrong(lines("{}\n\n[1]", 0))).isEqualTo("line 3 must be a JSON object, was [1]");
    assertThat(wrong(lines("{} {}", 0))).startsWith("line 1 is not valid JSON");
    assertThat(wrong(lines(new byte[] {'{', '}', '\n', (byte) 0xff, '\n'}, 0)))
        .contains("is not text in UTF-8");
  }
}
