package io.sluice;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job or batch that another one waited for: its state, which is null while it is not
 * known any more, and the result it left as JSON text. A batch leaves its counts.
 */
public record Result(
    String name,
    UUID id,
    @Nullable JobState state,
    @Nullable String json) {

  /** The refusal to read what those left that a job waited for. */
  public static SluiceException tooLarge(UUID job, long maxBytes) {
    return new SluiceException(
        ErrorCode.RESULTS_TOO_LARGE,
        "the results of those that job " + job + " waited for add up to more than " + maxBytes
            + " bytes: let them keep what is large elsewhere and leave its address");
  }
}
