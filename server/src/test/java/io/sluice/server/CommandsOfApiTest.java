package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Console;
import io.sluice.cli.Operation;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The tree of commands against the operations that the server describes. */
class CommandsOfApiTest {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");

  /** Each operation that a command names, and the commands that do. */
  private static Map<String, Set<String>> named(
      CommandLine command, Map<String, Set<String>> into) {
    Object behind = command.getCommandSpec().userObject();
    // A command that only holds others together has nothing behind it.
    Operation operations = behind == null ? null : element(behind).getAnnotation(Operation.class);
    if (operations != null) {
      for (String operation : operations.value()) {
        into.computeIfAbsent(operation, any -> new TreeSet<>())
            .add(command.getCommandSpec().qualifiedName());
      }
    }
    command.getSubcommands().values().forEach(below -> named(below, into));
    return into;
  }

  private static AnnotatedElement element(Object behind) {
    return behind instanceof AnnotatedElement method ? method : behind.getClass();
  }

  private static Set<String> operations() {
    try (TestServer server = TestServer.start()) {
      Set<String> ids = new TreeSet<>();
      JsonNode document = server.admin().withKey(null).get("/openapi.json").body();
      document
          .path("paths")
          .valueStream()
          .forEach(path -> path.propertyStream()
              .filter(entry -> METHODS.contains(entry.getKey()))
              .forEach(entry -> ids.add(entry.getValue().path("operationId").asString())));
      return ids;
    }
  }

  @Test
  void everyOperation_hasACommand_andEveryNamedOneExists() {
    Map<String, Set<String>> named = named(Main.program(Console.system()).ready(), new TreeMap<>());
    assertThat(named.keySet()).isEqualTo(operations());
  }
}
