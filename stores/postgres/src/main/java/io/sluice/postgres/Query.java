package io.sluice.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One statement: its text as JDBC wants it, and the name of the parameter at each place. */
public record Query(String name, String text, List<String> parameters) {
  private static final Pattern PARAMETER = Pattern.compile("[a-z_]+");

  public Query {
    parameters = List.copyOf(parameters);
  }

  static Query parse(String name, String source) {
    String statement = source
        .lines()
        .filter(line -> !line.stripLeading().startsWith("--"))
        .collect(Collectors.joining("\n"))
        .strip();
    if (statement.endsWith(";")) {
      statement = statement.substring(0, statement.length() - 1);
    }
    List<String> parameters = new ArrayList<>();
    String text = text(statement, parameters);
    return new Query(name, text, parameters);
  }

  /** The statement with a question mark for each parameter. A colon after a colon is a cast. */
  private static String text(String statement, List<String> parameters) {
    StringBuilder text = new StringBuilder();
    Matcher parameter = PARAMETER.matcher(statement);
    int written = 0;
    int colon = statement.indexOf(':');
    while (colon >= 0) {
      int next = colon + 1;
      if (statement.startsWith(":", next)) {
        next++;
      } else if (parameter.region(next, statement.length()).lookingAt()) {
        text.append(statement, written, colon).append('?');
        parameters.add(parameter.group());
        next = parameter.end();
        written = next;
      }
      colon = statement.indexOf(':', next);
    }
    return text.append(statement, written, statement.length()).toString();
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
