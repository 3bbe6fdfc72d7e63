package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs for people. */
class JobTextTest {
  private static final JsonNode LOST = Json.read("""
      {"id": "j", "state": "DEAD", "queue": "q", "method": "GET", "url": "https://a.example/b", "attempt": 2,
       "maxAttempts": 2, "createdAt": "2026-01-31T09:59:48Z", "deadReason": "WORKER_LOST", "errors": [
        {"attempt": 2, "class": "UNKNOWN", "code": "WORKER_LOST", "message": "gone", "at": "2026-01-31T09:59:50Z"}]}
      """);

  @Test
  void failureOfAnUnknownClass_isToldByItsCode() {
    assertThat(JobText.reason(LOST)).isEqualTo("WORKER_LOST: gone");
    assertThat(new JobText(new Desk("").console).full(LOST))
        .contains("error 2    WORKER_LOST: gone (10s ago)");
  }

  @Test
  void schemeOfAUrl_isLeftOutOnAScreen_andNowhereElse() {
    assertThat(JobText.brief(LOST, new Desk("").console)).isEqualTo("GET https://a.example/b");
    assertThat(JobText.brief(LOST, new Desk("", Desk.NARROW, Map.of()).console))
        .isEqualTo("GET a.example/b");
  }

  @Test
  void reasonsToWait_followTheState() {
    assertThat(new JobText(new Desk("").console).full(LOST, List.of("one", "two")))
        .containsSubsequence("state", "waits      one", "waits      two", "what");
  }
}
