package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLTransientConnectionException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Which failures are of which class. */
class ErrorClassifierTest {
  private static final ErrorClassifier BY_TYPE = ErrorClassifier.byType();

  @Test
  void byType_looksAtTheType() {
    Map<Throwable, ErrorClass> cases = new LinkedHashMap<>();
    cases.put(new TimeoutException(), ErrorClass.TIMEOUT);
    cases.put(new SocketTimeoutException(), ErrorClass.TIMEOUT);
    cases.put(new HttpTimeoutException(""), ErrorClass.TIMEOUT);
    cases.put(new ConnectException(), ErrorClass.NETWORK);
    cases.put(new UnknownHostException(), ErrorClass.NETWORK);
    cases.put(new IOException(), ErrorClass.NETWORK);
    cases.put(new SQLTransientConnectionException(), ErrorClass.NETWORK);
    cases.put(new FileNotFoundException(), ErrorClass.NOT_FOUND);
    cases.put(new NoSuchFileException(""), ErrorClass.NOT_FOUND);
    cases.put(new NoSuchElementException(), ErrorClass.NOT_FOUND);
    cases.put(new AccessDeniedException(""), ErrorClass.AUTH);
    cases.put(new SecurityException(), ErrorClass.AUTH);
    cases.put(new IllegalArgumentException("timeout"), ErrorClass.VALIDATION);
    cases.put(new NumberFormatException(), ErrorClass.VALIDATION);
    cases.put(new IllegalStateException("timeout"), ErrorClass.UNKNOWN);
    cases.put(new StackOverflowError(), ErrorClass.UNKNOWN);
    cases.forEach((error, expected) ->
        assertThat(BY_TYPE.classify(error)).as(error.toString()).isEqualTo(expected));
  }

  @Test
  void byType_looksInsideWrappers() {
    assertThat(BY_TYPE.classify(new CompletionException(new ExecutionException(new IOException()))))
        .isEqualTo(ErrorClass.NETWORK);
    assertThat(BY_TYPE.classify(new UncheckedIOException(new FileNotFoundException())))
        .isEqualTo(ErrorClass.NOT_FOUND);
    assertThat(BY_TYPE.classify(new CompletionException("alone", null)))
        .isEqualTo(ErrorClass.UNKNOWN);
    assertThat(BY_TYPE.classify(new RuntimeException(new IOException())))
        .as("a cause is not a wrapper's content")
        .isEqualTo(ErrorClass.UNKNOWN);
  }

  @Test
  void byType_goesByTheCodeOfOurOwn() {
    assertThat(ofCode(ErrorCode.INVALID_MESSAGE)).isEqualTo(ErrorClass.VALIDATION);
    assertThat(ofCode(ErrorCode.MESSAGE_TIMEOUT)).isEqualTo(ErrorClass.TIMEOUT);
    assertThat(ofCode(ErrorCode.QUEUE_FULL)).isEqualTo(ErrorClass.RATE_LIMITED);
    assertThat(ofCode(ErrorCode.PERSISTENCE_FAILURE)).isEqualTo(ErrorClass.NETWORK);
    assertThat(ofCode(ErrorCode.CONFLICT)).isEqualTo(ErrorClass.UNKNOWN);
  }

  private static ErrorClass ofCode(ErrorCode code) {
    return BY_TYPE.classify(new SluiceException(code, ""));
  }

  @Test
  void ofStatus_sortsHttpAnswers() {
    Map<Integer, ErrorClass> cases = Map.ofEntries(
        Map.entry(400, ErrorClass.VALIDATION),
        Map.entry(422, ErrorClass.VALIDATION),
        Map.entry(401, ErrorClass.AUTH),
        Map.entry(403, ErrorClass.AUTH),
        Map.entry(404, ErrorClass.NOT_FOUND),
        Map.entry(410, ErrorClass.NOT_FOUND),
        Map.entry(408, ErrorClass.TIMEOUT),
        Map.entry(429, ErrorClass.RATE_LIMITED),
        Map.entry(302, ErrorClass.REJECTED),
        Map.entry(409, ErrorClass.REJECTED),
        Map.entry(451, ErrorClass.REJECTED),
        Map.entry(500, ErrorClass.SERVER),
        Map.entry(503, ErrorClass.SERVER),
        Map.entry(599, ErrorClass.SERVER),
        Map.entry(0, ErrorClass.UNKNOWN));
    cases.forEach(
        (status, expected) -> assertThat(ErrorClass.ofStatus(status)).isEqualTo(expected));
  }
}
