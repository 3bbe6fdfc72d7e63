package io.sluice.http;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What came back.
 *
 * @param headers names in lower case; several of one name are joined by a comma
 * @param body its beginning, as much as was wanted
 * @param whole true when the body ended there
 */
public record Answer(
    int status, Map<String, String> headers, Bytes body, boolean whole, Duration took) {
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  public Optional<String> header(String lowerCaseName) {
    return Optional.ofNullable(headers.get(lowerCaseName));
  }

  @Override
  public String toString() {
    return "Answer[" + status + ", " + body + "]";
  }
}
