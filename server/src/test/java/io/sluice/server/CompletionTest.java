package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script for the shell, in a real bash. */
class CompletionTest {
  private final Terminal terminal = new Terminal(Map.of(), Screen.NONE);

  @TempDir
  Path folder;

  /** What bash offers after these words. */
  private List<String> completed(String... words) throws IOException {
    Path script = folder.resolve("sluice.bash");
    if (!Files.exists(script)) {
      Files.writeString(script, terminal.run("completion", "bash").out());
    }
    String line = "sluice " + String.join(" ", words);
    String ask = """
        source %s
        COMP_WORDS=(sluice %s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
        [[ ${COMP_WORDS[-1]} == _ ]] && COMP_WORDS[-1]=
        $(complete -p sluice | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        printf '%%s\\n' "${COMPREPLY[@]}"
        """.formatted(script, String.join(" ", words), words.length, line, line.length());
    // Outside a completion bash complains of compopt, which only says not to add a space.
    Process bash = new ProcessBuilder("bash", "-c", ask)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  @Test
  void bash_offersCommandsSubcommandsAndOptions() throws IOException {
    assertThat(completed("qu")).containsExactly("queues");
    assertThat(completed("dlq", "re")).containsExactly("replay");
    assertThat(completed("jobs", "list", "--idem")).containsExactly("--idempotency-key");
    assertThat(completed("server", "--tls")).containsExactlyInAnyOrder("--tls-cert", "--tls-key");
  }

  @Test
  void zsh_getsTheSameScript_otherShellsAreRefused() {
    assertThat(terminal.run("completion", "zsh").out()).contains("bashcompinit");
    Ran fish = terminal.run("completion", "fish");
    assertThat(fish.code()).isEqualTo(2);
    assertThat(fish.err()).isEqualTo("sluice: SHELL must be bash or zsh, was 'fish'\n");
  }
}
