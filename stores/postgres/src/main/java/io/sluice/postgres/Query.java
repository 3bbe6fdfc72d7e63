package io.sluice.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One statement: its text as JDBC wants it, and the name of the parameter at each place. */
public record Query(String name, String text, List<String> parameters) {
  private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");
  private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

  public Query {
    parameters = List.copyOf(parameters);
  }

  static Query parse(String name, String source) {
    String statement = COMMENT.matcher(source).replaceAll("").strip();
    if (statement.endsWith(";")) {
      statement = statement.substring(0, statement.length() - 1);
    }
    List<String> parameters = new ArrayList<>();
    String text = PARAMETER.matcher(statement).replaceAll(found -> {
      parameters.add(found.group(1));
      return "?";
    });
    return new Query(name, text, parameters);
  }

  /** Several statements that go to the server together and answer one after the other. */
  static Query together(List<Query> queries) {
    return new Query(
        String.join("+", queries.stream().map(Query::name).toList()),
        String.join(";\n", queries.stream().map(Query::text).toList()),
        queries.stream().flatMap(query -> query.parameters().stream()).toList());
  }

  /** The same statement about a certain thing that cannot be a parameter: a table, a day. */
  Query about(String placeholder, String value) {
    return new Query(name, text.replace('{' + placeholder + '}', value), parameters);
  }
}
