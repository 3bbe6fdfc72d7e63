package io.sluice.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice keys}: the API keys of a tenant, which {@code --tenant} names. */
@Command(
    name = "keys",
    description = "Makes, lists and revokes API keys of a tenant.",
    footer = {
      "",
      "--tenant names the tenant; without it, it is the tenant default.",
      "",
      "Examples",
      "  sluice keys create --tenant acme --name shop --role producer",
      "  sluice keys list --tenant acme",
      "  sluice keys revoke shop --tenant acme"
    })
final class KeysCommand {
  private final Console console;

  KeysCommand(Console console) {
    this.console = console;
  }

  private static String path(Rest rest, String... more) {
    String[] all = new String[more.length + 1];
    all[0] = "keys";
    System.arraycopy(more, 0, all, 1, more.length);
    return TenantName.of(rest.tenant().orElse("default"), all);
  }

  @Operation("listKeys")
  @Command(
      name = "list",
      description = "Lists keys, without what is secret of them.",
      footer = {"", "Example", "  sluice keys list --tenant acme"})
  int list(@Mixin Paging paging, @Mixin View view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.print(console, paging.fetch(rest, path(rest), new Rest.Query()), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .text("NAME")
        .text("ROLE")
        .text("PREFIX")
        .text("STATE")
        .text("CREATED")
        .text("LAST USED")
        .text("EXPIRES")
        .text("ID");
    page.path("items")
        .valueStream()
        .forEach(key -> table.row(
            Json.text(key, "name"),
            Json.text(key, "role"),
            Json.text(key, "prefix"),
            key.path("revoked").asBoolean() ? "revoked" : "valid",
            Times.ago(Json.text(key, "createdAt"), console.pace()),
            Times.ago(Json.text(key, "lastUsedAt"), console.pace()),
            Times.ago(Json.text(key, "expiresAt"), console.pace()),
            Json.text(key, "id")));
    return table.isEmpty() ? "no keys" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("createKey")
  @Command(
      name = "create",
      description = "Makes a key, shown this once.",
      footer = {
        "",
        "Roles: admin, operator, producer, worker, viewer, monitor; never above that of your own key.",
        "",
        "Example",
        "  sluice keys create --tenant acme --name shop --role producer"
      })
  int create(
      @Option(names = "--name", paramLabel = "NAME", description = "what it is for") @Nullable
          String name,
      @Option(names = "--role", paramLabel = "ROLE", description = "what it may do") @Nullable
          String role,
      @Option(
              names = "--expires-at",
              paramLabel = "TIME",
              description = "from when on it is not taken (ISO-8601)")
          @Nullable
          String expiresAt,
      @Option(names = "--from-json", paramLabel = "FILE|-", description = "all of it as JSON")
          @Nullable
          String fromJson,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode body = Body.of(console, fromJson)
        .set("name", name)
        .set("role", role)
        .set("expiresAt", expiresAt)
        .node();
    Rest rest = target.open(console);
    JsonNode made = rest.post(path(rest), body);
    view.print(console, made, key -> Json.text(key, "key") + System.lineSeparator());
    console.say("this is the key " + Json.text(made, "name") + " of role " + Json.text(made, "role")
        + "; it is shown this once");
    return Exit.OK.code();
  }

  @Operation("revokeKey")
  @Command(
      name = "revoke",
      description = "Revokes keys, on all servers within a moment.",
      footer = {"", "Example", "  sluice keys revoke shop --tenant acme"})
  int revoke(
      @Parameters(arity = "1..*", paramLabel = "KEY", description = "names or ids")
          List<String> keys,
      @Mixin Target target) {
    Rest rest = target.open(console);
    return Many.of(console, keys).each(key -> {
      rest.delete(path(rest, key), null);
      console.out().println("key " + key + " is revoked");
    });
  }
}
