package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How much of a list is asked for. */
final class Paging {
  private static final int USUAL = 50;
  private static final int PAGE = 250;

  @Option(names = "--limit", order = 70, paramLabel = "N", description = "how many at most (50)")
  private @Nullable Integer limit;

  @Option(
      names = "--cursor",
      order = 71,
      paramLabel = "CURSOR",
      description = "goes on where a list ended")
  private @Nullable String cursor;

  @Option(names = "--all", order = 72, description = "all there are")
  private boolean all;

  /** Every page of a list. */
  static Paging whole() {
    Paging paging = new Paging();
    paging.all = true;
    return paging;
  }

  /** The list at a path: as many pages as it takes, put together. */
  JsonNode fetch(Rest rest, String path, Rest.Query query) {
    if (limit != null && (all || limit < 1)) {
      throw new CommandException(
          Exit.MISUSED, all ? "--limit and --all exclude each other" : "--limit must be 1 or more");
    }
    long wanted = all ? Long.MAX_VALUE : limit == null ? USUAL : limit;
    ArrayNode items = Json.array();
    @Nullable String from = cursor;
    JsonNode page;
    do {
      Rest.Query asked =
          query.copy().add("limit", Math.min(PAGE, wanted - items.size())).add("cursor", from);
      page = rest.get(asked.at(path));
      page.path("items").valueStream().forEach(items::add);
      from = page.path("nextCursor").isString() ? page.path("nextCursor").asString() : null;
    } while (from != null && items.size() < wanted);
    ObjectNode whole = Json.object();
    whole.set("items", items);
    whole.set("nextCursor", page.path("nextCursor"));
    return whole;
  }
}
