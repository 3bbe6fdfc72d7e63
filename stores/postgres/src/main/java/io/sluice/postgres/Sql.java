package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Statements, each whole and under its name in a {@code .sql} file beside a class, with the schema put
 * in: those of this store, or those of a program that keeps tables of its own beside it.
 */
public final class Sql {
  public static final String DEFAULT_SCHEMA = "sluice";

  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,39}");
  private static final List<String> FILES = List.of(
      "insert.sql",
      "claim.sql",
      "hand.sql",
      "links.sql",
      "limits.sql",
      "queues.sql",
      "breakers.sql",
      "workers.sql",
      "duties.sql",
      "look.sql",
      "signals.sql");
  /** Needed by every user of this class, also for tables of its own. */
  private static final List<String> EVERYWHERE = List.of("migrations.sql", "transactions.sql");

  private static final String NAME = "\n-- name: ";

  private final String schema;
  private final Class<?> beside;
  private final Map<String, Source> sources = new LinkedHashMap<>();
  /** Statements are parsed when first used: a program uses few of them before its first job. */
  private final Map<String, Query> queries = new ConcurrentHashMap<>();

  Sql(String schema) {
    this(schema, Sql.class, FILES);
  }

  public Sql(String schema, Class<?> beside, List<String> files) {
    if (!IDENTIFIER.matcher(schema).matches()) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "schema must be 1 to 40 of a-z 0-9 _ and not begin with a digit, was '" + schema + "'");
    }
    this.schema = schema;
    this.beside = beside;
    for (String file : EVERYWHERE) {
      load(file, text(Sql.class, file));
    }
    files.forEach(file -> load(file, text(file)));
  }

  String schema() {
    return schema;
  }

  /** The channel on which processes wake each other. */
  String channel() {
    return schema + "_wake";
  }

  Query query(String name) {
    return queries.computeIfAbsent(name, this::parse);
  }

  private Query parse(String name) {
    Source source = sources.get(name);
    if (source == null) {
      throw new IllegalArgumentException("no statement is named '" + name + "'");
    }
    return Query.parse(name, source.statement());
  }

  List<Query> all() {
    return sources.keySet().stream().map(this::query).toList();
  }

  /** The text of a resource beside the statements, with the schema put in. */
  String text(String file) {
    return text(beside, file);
  }

  String text(Class<?> neighbour, String file) {
    try (InputStream in = neighbour.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("{schema}", '"' + schema + '"')
          .replace("{channel}", channel());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A statement in its file, which has one line more at its start: from the end of the line with its name to the next name. */
  private record Source(String file, String text, int start, int end) {
    String statement() {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return file + " line " + (text.substring(0, start).lines().count() - 1);
    }
  }

  private void load(String file, String content) {
    String text = "\n" + content;
    int next = text.indexOf(NAME);
    while (next >= 0) {
      int start = endOfLine(text, next + 1);
      String name = text.substring(next + NAME.length(), start).strip();
      next = text.indexOf(NAME, start);
      Source source = new Source(file, text, start, next < 0 ? text.length() : next);
      Source other = sources.putIfAbsent(name, source);
      if (other != null) {
        throw new IllegalArgumentException(
            "two statements are named '" + name + "': " + other + " and " + source);
      }
    }
  }

  private static int endOfLine(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }
}
