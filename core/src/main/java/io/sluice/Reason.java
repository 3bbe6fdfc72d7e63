package io.sluice;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a job does not run now: in a sentence, what would change it in another, and until when
 * it holds as far as that is known. {@code details} has what the sentence tells for programs: texts,
 * numbers, times, and lists and maps of these.
 */
public record Reason(
    ReasonCode code,
    String sentence,
    @Nullable Instant until,
    String remedy,
    Map<String, Object> details) {
  public Reason {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }
}
