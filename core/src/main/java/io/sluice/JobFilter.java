package io.sluice;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Which jobs a list, a replay or a delete is about; what is null or empty does not narrow. {@code
 * from} (inclusive) and {@code to} (exclusive) bound the time of creation, {@code text} is searched,
 * every character taken as it is, in payload, reason and type, in a payload also as JSON escapes it, and
 * the keys of {@code metadata} are the names of {@link Metadata} or of its custom values.
 */
public record JobFilter(
    @Nullable String tenant,
    @Nullable String queue,
    @Nullable String type,
    @Nullable String urlGroup,
    Set<JobState> states,
    @Nullable String idempotencyKey,
    @Nullable String limitKey,
    @Nullable UUID batch,
    Map<String, String> metadata,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String text) {

  public JobFilter {
    states = Set.copyOf(states);
    metadata = Map.copyOf(metadata);
  }

  public static JobFilter all() {
    return new Draft().made();
  }

  public JobFilter inTenant(String value) {
    return with(draft -> draft.tenant = value);
  }

  public JobFilter inQueue(String value) {
    return with(draft -> draft.queue = value);
  }

  public JobFilter ofType(String value) {
    return with(draft -> draft.type = value);
  }

  public JobFilter inUrlGroup(String value) {
    return with(draft -> draft.urlGroup = value);
  }

  public JobFilter in(JobState... value) {
    return with(draft -> draft.states = Set.of(value));
  }

  public JobFilter withIdempotencyKey(String value) {
    return with(draft -> draft.idempotencyKey = value);
  }

  public JobFilter withLimitKey(String value) {
    return with(draft -> draft.limitKey = value);
  }

  /** Only the jobs that are members of this batch, and not its callback. */
  public JobFilter inBatch(UUID value) {
    return with(draft -> draft.batch = value);
  }

  public JobFilter withMetadata(Map<String, String> value) {
    return with(draft -> draft.metadata = value);
  }

  public JobFilter createdBetween(@Nullable Instant start, @Nullable Instant end) {
    return with(draft -> {
      draft.from = start;
      draft.to = end;
    });
  }

  public JobFilter containing(String value) {
    return with(draft -> draft.text = value);
  }

  /** The text as it stands inside a JSON string; null where that is the text itself, or there is none. */
  public @Nullable String escapedText() {
    if (text == null) {
      return null;
    }
    String escaped = new String(JsonStringEncoder.getInstance().quoteAsCharArray(text));
    return escaped.equals(text) ? null : escaped;
  }

  private JobFilter with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.tenant = tenant;
    draft.queue = queue;
    draft.type = type;
    draft.urlGroup = urlGroup;
    draft.states = states;
    draft.idempotencyKey = idempotencyKey;
    draft.limitKey = limitKey;
    draft.batch = batch;
    draft.metadata = metadata;
    draft.from = from;
    draft.to = to;
    draft.text = text;
    change.accept(draft);
    return draft.made();
  }

  /** A filter while one of its parts is being changed; it begins with none. */
  private static final class Draft {
    private @Nullable String tenant;
    private @Nullable String queue;
    private @Nullable String type;
    private @Nullable String urlGroup;
    private Set<JobState> states = Set.of();
    private @Nullable String idempotencyKey;
    private @Nullable String limitKey;
    private @Nullable UUID batch;
    private Map<String, String> metadata = Map.of();
    private @Nullable Instant from;
    private @Nullable Instant to;
    private @Nullable String text;

    JobFilter made() {
      return new JobFilter(
          tenant,
          queue,
          type,
          urlGroup,
          states,
          idempotencyKey,
          limitKey,
          batch,
          metadata,
          from,
          to,
          text);
    }
  }
}
