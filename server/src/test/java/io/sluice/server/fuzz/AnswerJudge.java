package io.sluice.server.fuzz;

import io.sluice.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The rules that a single answer must keep, whatever was asked. */
final class AnswerJudge {
  private static final String PROBLEM = "application/problem+json";
  private static final Pattern INSIDE = Pattern.compile(
      "(java\\.|io\\.sluice\\.|org\\.postgresql|tools\\.jackson|[a-z]Exception\\b|\\bERROR: |\\n\\s+at )");
  /** Operations that may take ten seconds by what the document says of {@code more}. */
  private static final Set<String> BULK = Set.of("retryJobs", "cancelJobs");

  private static final long BULK_MILLIS = 10_000;

  private final ApiDocument document;
  private final SchemaCheck schemas;
  private final long boundMillis;

  /** Judges by this document; an answer may take so long. */
  AnswerJudge(ApiDocument document, long boundMillis) {
    this.document = document;
    this.schemas = new SchemaCheck(document);
    this.boundMillis = boundMillis;
  }

  /** A broken rule and what is wrong. */
  record Breach(Oracle oracle, String detail) {}

  /** All that is wrong with an answer of an operation to a caller of this role. */
  List<Breach> judge(ApiOperation operation, @Nullable Role role, FuzzAnswer answer) {
    List<Breach> breaches = new ArrayList<>();
    time(operation, answer).ifPresent(breaches::add);
    if (answer.status() == 0) {
      return breaches;
    }
    serverError(operation, answer).ifPresent(breaches::add);
    if (answer.isGood() && !operation.isOpen() && (role == null || !role.may(operation.access()))) {
      breaches.add(
          new Breach(Oracle.ROLE_BREACH, "answered " + answer.status() + " to the role " + role));
    }
    Optional<JsonNode> response = operation.response(answer.status());
    if (response.isEmpty()) {
      breaches.add(
          new Breach(Oracle.UNDOCUMENTED_STATUS, "the document has no " + answer.status()));
    } else {
      breaches.addAll(content(document.resolve(response.get()), answer));
    }
    if (answer.status() >= 400) {
      breaches.addAll(refusal(answer, response.map(document::resolve)));
    }
    return breaches;
  }

  /** All that is wrong with an answer to HEAD, which has no content. */
  List<Breach> judgeHead(ApiOperation operation, FuzzAnswer answer) {
    List<Breach> breaches = new ArrayList<>();
    time(operation, answer).ifPresent(breaches::add);
    serverError(operation, answer).ifPresent(breaches::add);
    if (answer.status() != 0 && operation.response(answer.status()).isEmpty()) {
      breaches.add(
          new Breach(Oracle.UNDOCUMENTED_STATUS, "the document has no " + answer.status()));
    }
    return breaches;
  }

  private Optional<Breach> time(ApiOperation operation, FuzzAnswer answer) {
    long bound = boundMillis + (BULK.contains(operation.id()) ? BULK_MILLIS : 0);
    if (answer.status() == 0) {
      return Optional.of(new Breach(Oracle.HANG, "no answer: " + answer.body()));
    }
    return answer.millis() <= bound
        ? Optional.empty()
        : Optional.of(new Breach(Oracle.HANG, "took " + answer.millis() + " ms"));
  }

  private static Optional<Breach> serverError(ApiOperation operation, FuzzAnswer answer) {
    boolean isError = answer.status() == 500 || answer.status() == 502 || answer.status() == 504;
    boolean isAway = answer.status() == 503
        && !operation.path().startsWith("/health/")
        && !answer.json().path("code").asString("").equals("OVERLOADED");
    return isError || isAway
        ? Optional.of(new Breach(Oracle.SERVER_ERROR, "answered " + answer.status()))
        : Optional.empty();
  }

  private List<Breach> content(JsonNode response, FuzzAnswer answer) {
    JsonNode types = response.path("content");
    if (types.isEmpty()) {
      return answer.body().isEmpty()
          ? List.of()
          : List.of(new Breach(Oracle.WRONG_ANSWER, "has a body, the document has none"));
    }
    JsonNode type = types.path(answer.type());
    if (type.isMissingNode()) {
      return List.of(new Breach(
          Oracle.WRONG_ANSWER,
          "is of the type '" + answer.type() + "', not of " + types.propertyNames()));
    }
    if (!answer.type().endsWith("json")) {
      return List.of();
    }
    return schemas.faults(type.path("schema"), answer.json()).stream()
        .map(fault -> new Breach(Oracle.WRONG_ANSWER, fault))
        .limit(5)
        .collect(Collectors.toList());
  }

  private static List<Breach> refusal(FuzzAnswer answer, Optional<JsonNode> response) {
    boolean isOwnForm = response
        .map(one -> one.path("content"))
        .filter(types -> !types.isEmpty() && !types.has(PROBLEM))
        .isPresent();
    if (isOwnForm) {
      return List.of();
    }
    List<Breach> breaches = new ArrayList<>();
    JsonNode problem = answer.json();
    if (!answer.type().equals(PROBLEM) || problem.path("status").asInt(0) != answer.status()) {
      breaches.add(new Breach(Oracle.NO_PROBLEM, "a refusal that is no problem of its status"));
    }
    String missing = missingHeader(answer, problem.path("code").asString(""));
    if (!missing.isEmpty()) {
      breaches.add(new Breach(Oracle.NO_PROBLEM, "a " + answer.status() + " without " + missing));
    }
    if (INSIDE.matcher(answer.body()).find()) {
      breaches.add(new Breach(Oracle.LEAK, "shows the inside of the server"));
    }
    return breaches;
  }

  private static String missingHeader(FuzzAnswer answer, String code) {
    String needed = switch (answer.status()) {
      case 401 -> "www-authenticate";
      case 405 -> "allow";
      case 429, 503 -> code.equals("QUOTA_EXCEEDED") ? "" : "retry-after";
      default -> "";
    };
    return needed.isEmpty() || !answer.header(needed).isEmpty() ? "" : needed;
  }
}
