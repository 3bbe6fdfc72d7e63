package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** From the options of {@code enqueue} to the body of its request. */
class JobBodyTest {
  @TempDir
  Path folder;

  @Command
  private static final class Options {
    @Mixin
    RequestOptions request = new RequestOptions();

    @Mixin
    JobOptions job = new JobOptions();
  }

  private static String body(String... words) {
    return typed("", words);
  }

  private static String typed(String typed, String... words) {
    CommandLine line = new CommandLine(new Options()).setExpandAtFiles(false);
    line.parseArgs(words);
    Options options = line.getCommand();
    Body body = Body.empty();
    options.request.addTo(body, new Desk(typed).console);
    options.job.addTo(body);
    return Json.compact(body.node());
  }

  @Test
  void body_isJsonWhereItIs_elseText_elseBytes() throws IOException {
    assertThat(body("-d", "{\"a\": [1, 2.50]}")).isEqualTo("{\"body\":{\"a\":[1,2.50]}}");
    assertThat(body("-d", "a=1&b=2")).isEqualTo("{\"body\":\"a=1&b=2\"}");
    assertThat(body("-d", "42")).isEqualTo("{\"body\":\"42\"}");
    assertThat(typed("from stdin", "-d", "-")).isEqualTo("{\"body\":\"from stdin\"}");
    Path file = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, 0});
    assertThat(body("-d", "@" + file)).isEqualTo("{\"bodyBase64\":\"/wA=\"}");
  }

  @Test
  void body_goesAsItIs_withAContentTypeOfItsOwn() {
    assertThat(body("-d", "{\"a\": 1}", "-H", "Content-Type: application/vnd.x+json"))
        .isEqualTo("{\"headers\":{\"Content-Type\":\"application/vnd.x+json\"},"
            + "\"body\":\"{\\\"a\\\": 1}\"}");
  }

  @Test
  void after_isAnId_orOneWithANameBeforeIt() {
    assertThat(body("--after", "1", "--after", "charge=2", "--after-policy", "hold"))
        .isEqualTo(
            "{\"after\":[\"1\",{\"id\":\"2\",\"name\":\"charge\"}],\"afterPolicy\":\"hold\"}");
  }

  @Test
  void everyOption_hasItsField() {
    assertThat(body(
            "-X",
            "put",
            "--url-group",
            "shop",
            "--path",
            "/a",
            "--callback-url",
            "http://c",
            "--failure-callback-url",
            "http://f",
            "--queue",
            "q",
            "-p",
            "3",
            "--delay",
            "5s",
            "--run-at",
            "t",
            "--expires-at",
            "e",
            "--timeout",
            "1s",
            "--idempotency-key",
            "i",
            "--limit-key",
            "l",
            "--cost",
            "2",
            "--require-handler"))
        .isEqualTo(
            "{\"method\":\"PUT\",\"urlGroup\":\"shop\",\"path\":\"/a\",\"callbackUrl\":\"http://c\","
                + "\"failureCallbackUrl\":\"http://f\",\"queue\":\"q\",\"priority\":3,\"delay\":\"5s\","
                + "\"runAt\":\"t\",\"expiresAt\":\"e\",\"timeout\":\"1s\",\"idempotencyKey\":\"i\","
                + "\"limitKey\":\"l\",\"cost\":2,\"requireHandler\":true}");
    assertThat(body(
            "--type",
            "t",
            "--payload",
            "{\"a\":null}",
            "-p",
            "high",
            "-m",
            "userId=u",
            "-m",
            "x=y",
            "--max-attempts",
            "8",
            "--retry-strategy",
            "linear",
            "--retry-delay",
            "2s",
            "--retry-multiplier",
            "1.5",
            "--retry-max-delay",
            "9s",
            "--retry-jitter",
            "0"))
        .isEqualTo("{\"type\":\"t\",\"payload\":{\"a\":null},\"priority\":\"high\","
            + "\"metadata\":{\"userId\":\"u\",\"custom\":{\"x\":\"y\"}},"
            + "\"retry\":{\"maxAttempts\":8,\"strategy\":\"linear\",\"initialDelay\":\"2s\","
            + "\"multiplier\":1.5,\"maxDelay\":\"9s\",\"jitter\":0}}");
  }

  @Test
  void wrongOnes_areNamed() {
    assertThatThrownBy(() -> body("-H", "no colon"))
        .hasMessage("--header must be 'name: value', was 'no colon'");
    assertThatThrownBy(() -> body("--payload", "{a"))
        .hasMessageStartingWith("--payload is not valid JSON at character 2");
    assertThatThrownBy(() -> body("-d", "@" + folder.resolve("none")))
        .hasMessageEndingWith("none: there is no such file");
  }
}
