package io.sluice;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A type of job that an engine can run: its name, the class of its payload, how it is treated and
 * what does the work. Begin with {@link #of}, end with one of {@code handle}, {@code answer} and
 * {@code batch}.
 */
public final class JobType<T> {
  /** What does the work. */
  public sealed interface Work<T> {
    record Single<T>(AnsweringHandler<T> handler) implements Work<T> {}

    record Many<T>(int size, BatchHandler<T> handler) implements Work<T> {}
  }

  private final String name;
  private final Class<T> payload;
  private @Nullable Work<T> work;
  private @Nullable Duration timeout;
  private @Nullable RetryPolicy retry;
  private @Nullable Integer slots;
  private boolean idempotent = true;
  private Duration overtime = Duration.ZERO;
  private Check<T> check = payload -> {};
  private Hook<T> before = job -> {};
  private Hook<T> after = job -> {};
  private ErrorHook<T> onError = (job, error) -> Outcome.failed(error);

  private JobType(String name, Class<T> payload) {
    this.name = Names.checkType(name);
    this.payload = payload;
  }

  public static <T> JobType<T> of(String name, Class<T> payload) {
    return new JobType<>(name, payload);
  }

  /** The time an attempt may take; a job's own timeout comes first. */
  public JobType<T> timeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw SluiceException.invalid("timeout", "of type " + name + " must be more than zero");
    }
    timeout = value;
    return this;
  }

  /** How failed jobs of this type are retried; a job's own policy comes first. */
  public JobType<T> retry(RetryPolicy value) {
    retry = value;
    return this;
  }

  /**
   * How long past its timeout a handler may go on before it is interrupted: for one that minds its {@link
   * JobContext#deadline} itself, and needs a moment more to report what happened.
   */
  public JobType<T> overtime(Duration value) {
    if (value.isNegative()) {
      throw SluiceException.invalid("overtime", "of type " + name + " must not be negative");
    }
    overtime = value;
    return this;
  }

  /** How many jobs (or batches) of this type one engine runs at once. */
  public JobType<T> slots(int value) {
    if (value < 1) {
      throw SluiceException.invalid("slots", "of type " + name + " must be 1 or more");
    }
    slots = value;
    return this;
  }

  /**
   * False for work that must not be done twice: a job whose worker was lost after it had started goes
   * dead instead of running again.
   */
  public JobType<T> idempotent(boolean value) {
    idempotent = value;
    return this;
  }

  public JobType<T> validate(Check<T> value) {
    check = value;
    return this;
  }

  public JobType<T> before(Hook<T> value) {
    before = value;
    return this;
  }

  public JobType<T> after(Hook<T> value) {
    after = value;
    return this;
  }

  public JobType<T> onError(ErrorHook<T> value) {
    onError = value;
    return this;
  }

  /** Done when the handler returns, with the result it set, if any. */
  public JobType<T> handle(Handler<T> handler) {
    work = new Work.Single<>((job, context) -> {
      handler.handle(job, context);
      return Outcome.done();
    });
    return this;
  }

  /** The handler says what shall become of the job. */
  public JobType<T> answer(AnsweringHandler<T> handler) {
    work = new Work.Single<>(handler);
    return this;
  }

  /** The handler gets up to {@code size} jobs at once, which take one slot together. */
  public JobType<T> batch(int size, BatchHandler<T> handler) {
    if (size < 1) {
      throw SluiceException.invalid("size", "of a batch of " + name + " must be 1 or more");
    }
    work = new Work.Many<>(size, handler);
    return this;
  }

  public String name() {
    return name;
  }

  public Class<T> payload() {
    return payload;
  }

  public Work<T> work() {
    if (work == null) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "type " + name + " has no handler: call handle, answer or batch");
    }
    return work;
  }

  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }

  public Optional<Integer> slots() {
    return Optional.ofNullable(slots);
  }

  public Duration overtime() {
    return overtime;
  }

  public boolean isIdempotent() {
    return idempotent;
  }

  public Check<T> check() {
    return check;
  }

  public Hook<T> before() {
    return before;
  }

  public Hook<T> after() {
    return after;
  }

  public ErrorHook<T> errorHook() {
    return onError;
  }
}
