package io.sluice.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.access.Role;
import io.sluice.server.fuzz.AnswerJudge.Breach;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The rules of single answers and of a run, each broken once: a rule that cannot fail proves nothing. */
class AnswerJudgeTest {
  private static final String DOCUMENT = """
      {"paths": {"/v1/things/{id}": {
        "get": {"operationId": "readThing", "x-access": "READ", "responses": {
          "200": {"content": {"application/json": {"schema": {"type": "object",
            "required": ["id"], "properties": {"id": {"type": "string"}}}}}},
          "401": {"$ref": "#/components/responses/refused"},
          "404": {"$ref": "#/components/responses/refused"},
          "405": {"$ref": "#/components/responses/refused"},
          "429": {"$ref": "#/components/responses/refused"},
          "500": {"$ref": "#/components/responses/refused"},
          "503": {"$ref": "#/components/responses/refused"}}},
        "delete": {"operationId": "deleteThing", "x-access": "OPERATE", "responses": {"204": {}}}}},
       "components": {"responses": {"refused": {"content": {"application/problem+json": {"schema": {
         "type": "object", "properties": {"status": {"type": "integer"}, "code": {"type": "string"},
         "detail": {"type": "string"}}}}}}}}}
      """;

  private final ApiDocument document = new ApiDocument(new JsonMapper().readTree(DOCUMENT));
  private final AnswerJudge judge = new AnswerJudge(document, 5_000);

  private List<Oracle> broken(String operation, Role role, FuzzAnswer answer) {
    return judge.judge(document.operation(operation), role, answer).stream()
        .map(Breach::oracle)
        .distinct()
        .toList();
  }

  private List<Oracle> broken(FuzzAnswer answer) {
    return broken("readThing", Role.VIEWER, answer);
  }

  private static FuzzAnswer json(int status, String body) {
    return new FuzzAnswer(status, Map.of("content-type", "application/json"), body, 1);
  }

  private static FuzzAnswer problem(int status, String code, Map<String, String> headers) {
    Map<String, String> all = new java.util.HashMap<>(headers);
    all.put("content-type", "application/problem+json");
    return new FuzzAnswer(
        status, all, "{\"status\":%d,\"code\":\"%s\"}".formatted(status, code), 1);
  }

  @Test
  void goodAnswers_breakNothing() {
    assertThat(broken(json(200, "{\"id\":\"a\"}"))).isEmpty();
    assertThat(broken(problem(404, "NOT_FOUND", Map.of()))).isEmpty();
    assertThat(broken(problem(405, "METHOD_NOT_ALLOWED", Map.of("allow", "GET"))))
        .isEmpty();
    assertThat(broken(problem(503, "OVERLOADED", Map.of("retry-after", "1")))).isEmpty();
    assertThat(broken("deleteThing", Role.OPERATOR, new FuzzAnswer(204, Map.of(), "", 1)))
        .isEmpty();
  }

  @Test
  void serverErrors_areBroken_evenWhereTheyAreDocumented() {
    assertThat(broken(problem(500, "INTERNAL", Map.of()))).containsExactly(Oracle.SERVER_ERROR);
    assertThat(broken(problem(503, "PERSISTENCE_FAILURE", Map.of("retry-after", "1"))))
        .containsExactly(Oracle.SERVER_ERROR);
  }

  @Test
  void statusesThatAreNotDocumented_areBroken_alsoForHead() {
    assertThat(broken(problem(418, "X", Map.of()))).containsExactly(Oracle.UNDOCUMENTED_STATUS);
    assertThat(
            judge.judgeHead(document.operation("readThing"), new FuzzAnswer(204, Map.of(), "", 1)))
        .extracting(Breach::oracle)
        .containsExactly(Oracle.UNDOCUMENTED_STATUS);
  }

  @Test
  void answersThatDoNotFit_areBroken() {
    assertThat(broken(json(200, "{}"))).containsExactly(Oracle.WRONG_ANSWER);
    assertThat(broken(json(200, "{\"id\":\"a\",\"secret\":1}")))
        .containsExactly(Oracle.WRONG_ANSWER);
    assertThat(broken(json(200, "not json"))).containsExactly(Oracle.WRONG_ANSWER);
    assertThat(broken(new FuzzAnswer(200, Map.of("content-type", "text/html"), "<p>", 1)))
        .containsExactly(Oracle.WRONG_ANSWER);
    assertThat(broken("deleteThing", Role.ADMIN, json(204, "{}")))
        .containsExactly(Oracle.WRONG_ANSWER);
  }

  @Test
  void refusalsWithoutAProblem_areBroken() {
    assertThat(broken(json(404, "{\"status\":404}")))
        .containsExactlyInAnyOrder(Oracle.WRONG_ANSWER, Oracle.NO_PROBLEM);
    assertThat(broken(problem(405, "METHOD_NOT_ALLOWED", Map.of())))
        .containsExactly(Oracle.NO_PROBLEM);
    assertThat(broken(problem(401, "UNAUTHORIZED", Map.of()))).containsExactly(Oracle.NO_PROBLEM);
    assertThat(broken(problem(429, "RATE_LIMITED", Map.of()))).containsExactly(Oracle.NO_PROBLEM);
    assertThat(broken(problem(429, "QUOTA_EXCEEDED", Map.of()))).isEmpty();
    FuzzAnswer other = new FuzzAnswer(
        404, Map.of("content-type", "application/problem+json"), "{\"status\":400}", 1);
    assertThat(broken(other)).containsExactly(Oracle.NO_PROBLEM);
  }

  @Test
  void answersThatShowTheInside_areBroken() {
    for (String inside : List.of(
        "ERROR: invalid byte sequence",
        "java.lang.String",
        "a NullPointerException",
        "io.sluice.X")) {
      FuzzAnswer answer = new FuzzAnswer(
          404,
          Map.of("content-type", "application/problem+json"),
          "{\"status\":404,\"detail\":\"%s\"}".formatted(inside),
          1);
      assertThat(broken(answer)).as(inside).containsExactly(Oracle.LEAK);
    }
  }

  @Test
  void lateAnswers_andNone_areBroken() {
    assertThat(broken(FuzzAnswer.none("timed out", 30_000))).containsExactly(Oracle.HANG);
    FuzzAnswer late =
        new FuzzAnswer(200, Map.of("content-type", "application/json"), "{\"id\":\"a\"}", 5_001);
    assertThat(broken(late)).containsExactly(Oracle.HANG);
  }

  @Test
  void successOfWhoMayNot_isBroken() {
    FuzzAnswer good = json(200, "{\"id\":\"a\"}");
    assertThat(broken("readThing", Role.WORKER, good)).containsExactly(Oracle.ROLE_BREACH);
    assertThat(broken("readThing", null, good)).containsExactly(Oracle.ROLE_BREACH);
    assertThat(broken("deleteThing", Role.PRODUCER, new FuzzAnswer(204, Map.of(), "", 1)))
        .containsExactly(Oracle.ROLE_BREACH);
  }

  @Test
  void operationsThatWereNotReached_areReported() {
    FuzzBook book = new FuzzBook(7);
    book.answered("readThing", "valid", problem(404, "NOT_FOUND", Map.of()));
    book.checkCoverage(document.operations(), false);
    assertThat(book.faults()).extracting(FuzzFault::oracle).containsExactly(Oracle.COVERAGE);
    book.checkCoverage(document.operations(), true);
    assertThat(book.faults()).hasSize(2);
  }

  @Test
  void jobsThatAreGone_areReported() {
    assertThat(FuzzRun.missing(Set.of("a", "b"), Set.of("b", "c"))).containsExactly("a");
  }

  @Test
  void report_hasTheSeed_theRequest_andTheAnswer_andTellsLikeFaultsOnce() {
    FuzzBook book = new FuzzBook(7);
    HttpText request = new HttpText(
        "POST", "/v1/jobs", List.of(new HttpText.HttpHeader("X-A", "it's")), "{\"a\":1}");
    for (int i = 0; i < 3; i++) {
      book.add(new FuzzFault(
          Oracle.SERVER_ERROR,
          "enqueue",
          request.asCurl(),
          json(500, "{}").toString(),
          "job " + i));
    }
    assertThat(book.faults()).hasSize(1);
    assertThat(book.report())
        .contains("-Dsluice.seed=7", "3 x SERVER_ERROR", "enqueue", "500 after 1 ms")
        .contains("curl -sS --path-as-is -X POST -H 'X-A: it'\\''s' --data-binary '{\"a\":1}'");
  }
}
