package io.sluice.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an answer, as the result of its job.
 *
 * @param headers names in lower case, without those that carry credentials
 * @param body the beginning of the body as text; null where it was compressed, which is not undone
 */
public record HttpResult(
    int status, Map<String, String> headers, @Nullable String body, long durationMs) {
  public HttpResult {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
