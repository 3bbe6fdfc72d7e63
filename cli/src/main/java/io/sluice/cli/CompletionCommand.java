package io.sluice.cli;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice completion}: a script for the shell that knows every command and option. */
@Command(
    name = "completion",
    description = "Prints a script that completes commands and options in bash or zsh.",
    footer = {
      "",
      "Examples",
      "  source <(sluice completion bash)                      # in this shell",
      "  sluice completion bash >~/.local/share/bash-completion/completions/sluice",
      "  echo 'source <(sluice completion zsh)' >>~/.zshrc"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Console console;
  private final Supplier<CommandLine> tree;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh")
  private String shell = "";

  CompletionCommand(Console console, Supplier<CommandLine> tree) {
    this.console = console;
    this.tree = tree;
  }

  @Override
  public Integer call() {
    if (!List.of("bash", "zsh").contains(shell)) {
      throw new CommandException(Exit.MISUSED, "SHELL must be bash or zsh, was '" + shell + "'");
    }
    // The script works in both: in zsh it loads what understands completions of bash.
    console.out().print(AutoComplete.bash("sluice", tree.get()));
    return Exit.OK.code();
  }
}
