package io.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The {@code QUEUE_FULL} of a capped queue or tenant, with what was wanted and what there was. */
public final class QueueFull extends SluiceException {
  private static final long serialVersionUID = 1L;

  private final Overflow overflow;

  public QueueFull(Overflow overflow) {
    this(overflow, null, null);
  }

  private QueueFull(Overflow overflow, @Nullable Throwable cause, @Nullable Duration retryAfter) {
    super(ErrorCode.QUEUE_FULL, overflow.words(), cause, retryAfter);
    this.overflow = overflow;
  }

  public Overflow overflow() {
    return overflow;
  }

  /** The same, saying when another try is worth it. */
  public QueueFull withRetryAfter(Duration time) {
    return new QueueFull(overflow, this, time);
  }
}
