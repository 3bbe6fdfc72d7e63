package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private static final Pattern NAME = Pattern.compile("(?m)^-- name: (\\S+)\\s*$");

  private final String schema;
  private final Class<?> beside;
  private final Map<String, Query> queries = new LinkedHashMap<>();

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
    Map<String, Position> positions = new HashMap<>();
    for (String file : EVERYWHERE) {
      load(file, text(Sql.class, file), positions);
    }
    files.forEach(file -> load(file, text(file), positions));
  }

  String schema() {
    return schema;
  }

  /** The channel on which processes wake each other. */
  String channel() {
    return schema + "_wake";
  }

  Query query(String name) {
    Query query = queries.get(name);
    if (query == null) {
      throw new IllegalArgumentException("no statement is named '" + name + "'");
    }
    return query;
  }

  Map<String, Query> all() {
    return queries;
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

  /** Where a statement begins; its line is counted only when somebody asks. */
  private record Position(String file, String text, int start) {
    @Override
    public String toString() {
      return file + " line " + text.substring(0, start).lines().count();
    }
  }

  private void load(String file, String text, Map<String, Position> positions) {
    var names = NAME.matcher(text);
    boolean found = names.find();
    while (found) {
      String name = names.group(1);
      int start = names.end();
      Position position = new Position(file, text, start);
      Position other = positions.putIfAbsent(name, position);
      if (other != null) {
        throw new IllegalArgumentException(
            "two statements are named '" + name + "': " + other + " and " + position);
      }
      found = names.find();
      queries.put(
          name, Query.parse(name, text.substring(start, found ? names.start() : text.length())));
    }
  }
}
