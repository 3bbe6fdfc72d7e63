package io.sluice.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice batches}. */
@Command(
    name = "batches",
    description = "Puts in many jobs at once that may wait for each other, and watches over them.",
    footer = {
      "",
      "Examples",
      "  sluice batches create import.json",
      "  sluice batches show 01920000-0000-7000-8000-000000000000 --watch",
      "  sluice batches cancel 01920000-0000-7000-8000-000000000000",
      "",
      "A batch in a file, all of it taken or nothing:",
      "  {\"name\": \"import\",",
      "   \"jobs\": [{\"name\": \"get\", \"url\": \"https://example.com/orders\", \"method\": \"GET\"},",
      "            {\"name\": \"mail\", \"type\": \"email.send\", \"after\": [\"get\"]}],",
      "   \"callback\": {\"type\": \"report\", \"on\": \"failure\"}}"
    })
final class BatchesCommand {
  private final Console console;

  BatchesCommand(Console console) {
    this.console = console;
  }

  /** What can be said of a new batch beside its file. */
  static final class NewOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "how people know it")
    private @Nullable String name;

    @Option(
        names = "--open",
        description = "more jobs are to come: it does not end before it is closed")
    private boolean open;

    @Option(
        names = "--idempotency-key",
        paramLabel = "KEY",
        description = "a second batch with it is the first one")
    private @Nullable String idempotencyKey;

    @Option(
        names = "--parent",
        paramLabel = "BATCH",
        description = "the open batch that it is part of")
    private @Nullable String parent;

    void addTo(Body body) {
      body.set("name", name)
          .set("open", open ? Boolean.TRUE : null)
          .set("idempotencyKey", idempotencyKey)
          .set("parent", parent);
    }
  }

  @Operation("createBatch")
  @Command(
      name = "create",
      description = "Takes a batch from a file: its name, its jobs, and a job for their end.",
      footer = {
        "",
        "Examples",
        "  sluice batches create import.json",
        "  generate | sluice batches create - --name import --open"
      })
  int create(
      @Parameters(paramLabel = "FILE|-", description = "the batch as JSON, or a list of its jobs")
          String file,
      @Mixin NewOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = jobs(file);
    options.addTo(body);
    JsonNode made = target.open(console).post("/v1/batches", body.node());
    view.print(console, made, this::started);
    return Exit.OK.code();
  }

  /** What a file has; a list in it is that of the jobs. */
  private Body jobs(String file) {
    JsonNode given = Source.jsonFile(console, "FILE", file);
    return given.isArray() ? Body.empty().set("jobs", given) : Body.over(given, "FILE");
  }

  private String started(JsonNode made) {
    String id = Json.text(made, "id");
    List<JsonNode> items = made.path("items").valueStream().toList();
    boolean known = made.path("duplicate").asBoolean();
    String head = known
        ? id + " was there before" + (items.isEmpty() ? "; " + jobsOf(id) : "")
        : id + " has " + Words.count(items.size(), "job");
    if (items.isEmpty()) {
      return head + System.lineSeparator();
    }
    Table table = new Table().cuttable("NAME").text("ID").text("STATE");
    items.forEach(item ->
        table.row(Json.text(item, "name"), Json.text(item, "id"), Json.text(item, "state")));
    return head + System.lineSeparator() + table.text(console.screen());
  }

  private static String jobsOf(String id) {
    return "'sluice jobs list --batch " + id + "' shows its jobs";
  }

  @Operation("listBatches")
  @Command(
      name = "list",
      description = "Lists batches, newest first, and how far they are.",
      footer = {"", "Example", "  sluice batches list --watch"})
  int list(@Mixin Paging paging, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> paging.fetch(rest, "/v1/batches", new Rest.Query()), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .text("ID")
        .cuttable("NAME")
        .text("STATE")
        .number("DONE")
        .number("TOTAL")
        .number("FAILED")
        .number("CANCELLED")
        .text("CREATED");
    page.path("items")
        .valueStream()
        .forEach(batch -> table.row(
            Json.text(batch, "id"),
            Json.text(batch, "name"),
            Json.text(batch, "state") + (batch.path("open").asBoolean() ? " (open)" : ""),
            Counts.number(batch.path("done").asLong()),
            Counts.number(batch.path("total").asLong()),
            Counts.number(batch.path("failed").asLong()),
            Counts.number(batch.path("cancelled").asLong()),
            Times.ago(Json.text(batch, "createdAt"), console.pace())));
    return table.isEmpty() ? "no batches" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("readBatch")
  @Command(
      name = "show",
      description = "Shows a batch, and how many of its jobs are over.",
      footer = {"", "Example", "  sluice batches show 01920000-0000-7000-8000-000000000000 --watch"
      })
  int show(
      @Parameters(paramLabel = "BATCH", description = "its id") String id,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get(path(id)), this::full, JobText::isOver);
    return Exit.OK.code();
  }

  private String full(JsonNode batch) {
    ObjectNode shown = (ObjectNode) batch.deepCopy();
    return Thing.full(shown.put("next", jobsOf(Json.text(batch, "id"))), console);
  }

  private static String path(String id) {
    return Rest.path("v1", "batches", id);
  }

  @Operation("cancelBatch")
  @Command(
      name = "cancel",
      description = "Closes batches, and cancels all their jobs that are not over.",
      footer = {"", "Example", "  sluice batches cancel 01920000-0000-7000-8000-000000000000"})
  int cancel(
      @Parameters(arity = "1..*", paramLabel = "BATCH", description = "ids") List<String> ids,
      @Mixin View view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    return Many.of(console, ids).each(id -> {
      JsonNode answer = rest.delete(path(id), null);
      view.done(
          console,
          answer,
          Words.count(answer.path("cancelled").asLong(), "job") + " of " + id + " cancelled");
    });
  }

  @Operation("addToBatch")
  @Command(
      name = "add",
      description = "Adds jobs to a batch that is open, or from a job of it that runs.",
      footer = {
        "",
        "Examples",
        "  sluice batches add 01920000-0000-7000-8000-000000000000 more.json",
        "  sluice batches add 01920000-0000-7000-8000-000000000000 - --lease LEASE"
      })
  int add(
      @Parameters(index = "0", paramLabel = "BATCH", description = "its id") String id,
      @Parameters(index = "1", paramLabel = "FILE|-", description = "a list of jobs as JSON")
          String file,
      @Option(names = "--lease", paramLabel = "LEASE", description = "of a job of the batch")
          @Nullable
          String lease,
      @Mixin View view,
      @Mixin Target target) {
    Body body = jobs(file).set("lease", lease);
    JsonNode added = target.open(console).post(path(id) + "/jobs", body.node());
    view.done(console, added, Words.count(added.path("items").size(), "job") + " added to " + id);
    return Exit.OK.code();
  }

  @Operation("closeBatch")
  @Command(
      name = "close",
      description = "Says that no more jobs are to come, so that the batch can end.",
      footer = {"", "Example", "  sluice batches close 01920000-0000-7000-8000-000000000000"})
  int close(
      @Parameters(paramLabel = "BATCH", description = "its id") String id,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode batch = target.open(console).post(path(id) + "/close", null);
    view.done(
        console,
        batch,
        "batch " + id + " is closed, " + Json.text(batch, "done") + " of "
            + Json.text(batch, "total") + " are over");
    return Exit.OK.code();
  }
}
