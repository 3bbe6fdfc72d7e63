package io.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice openapi}. */
@Operation("readOpenApi")
@Command(
    name = "openapi",
    description = "Prints the OpenAPI document of a server.",
    footer = {"", "Example", "  sluice openapi >openapi.json"})
final class OpenApiCommand implements Callable<Integer> {
  private final Console console;

  @Mixin
  private Target target = new Target();

  OpenApiCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().println(Json.pretty(target.open(console).get("/openapi.json")));
    return Exit.OK.code();
  }
}
