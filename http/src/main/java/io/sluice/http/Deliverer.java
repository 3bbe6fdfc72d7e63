package io.sluice.http;

import io.sluice.AnsweringHandler;
import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.Job;
import io.sluice.JobContext;
import io.sluice.JobType;
import io.sluice.Outcome;
import io.sluice.Result;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.When;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of jobs that are HTTP requests. Success is an answer of 2xx whose body ended, or reached
 * the size that is kept, in time; everything else is a failure with the class that its status, or the
 * lack of one, stands for.
 */
public final class Deliverer implements AnsweringHandler<HttpCall> {
  private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);
  private static final int MOST_REDIRECTS = 5;
  /**
   * How long past its timeout a delivery may go on in the engine: the exchange gets the whole timeout, and
   * what came of it is reported after that.
   */
  public static final Duration OVERTIME = Duration.ofSeconds(1);

  private final GuardedClient client;
  private final Groups groups;
  private final Tokens tokens;
  private final Callbacks callbacks;
  private final InstantSource clock;
  private final String userAgent;

  /** An answer, and whether another origin gave it than the one that was asked. */
  private record Sent(Answer answer, boolean foreign) {}

  /**
   * @param clock the engine's, by which it sets deadlines
   * @param version what receivers are told that they talk to
   */
  public Deliverer(
      GuardedClient client,
      Groups groups,
      Tokens tokens,
      Callbacks callbacks,
      InstantSource clock,
      String version) {
    this.client = client;
    this.groups = groups;
    this.tokens = tokens;
    this.callbacks = callbacks;
    this.clock = clock;
    this.userAgent = "Sluice/" + version;
  }

  /** The type of jobs that this handles, to be given to an engine. */
  public JobType<HttpCall> type() {
    return JobType.of(HttpCall.TYPE, HttpCall.class).overtime(OVERTIME).answer(this);
  }

  @Override
  public Outcome handle(Job<HttpCall> job, JobContext context)
      throws AttemptFailure, InterruptedException {
    Group group = group(job);
    try {
      return Outcome.done(deliver(filled(job, context), group, context.deadline()));
    } catch (AttemptFailure failure) {
      RetryPolicy policy = group == null ? null : group.retry();
      throw policy == null ? failure : failure.withPolicy(policy);
    }
  }

  /** The job with what its predecessors left put in where it asks for it; most jobs have none. */
  private static Job<HttpCall> filled(Job<HttpCall> job, JobContext context) throws AttemptFailure {
    List<Result> results = Filling.isWanted(job.payload()) ? context.results() : List.of();
    return results.isEmpty()
        ? job
        : new Job<>(
            job.id(),
            job.lane(),
            Filling.of(job.payload(), results),
            job.attempt(),
            job.createdAt(),
            job.priority(),
            job.metadata());
  }

  private @Nullable Group group(Job<HttpCall> job) throws AttemptFailure {
    if (!job.lane().hasGroup()) {
      return null;
    }
    String name = job.lane().groupName();
    Optional<Group> group = groups.find(job.tenant(), name);
    if (group.isEmpty()) {
      throw new AttemptFailure(
          ErrorClass.NOT_FOUND, "GROUP_NOT_FOUND", "there is no URL group '" + name + "'");
    }
    return group.get();
  }

  private HttpResult deliver(Job<HttpCall> job, @Nullable Group group, Instant deadline)
      throws AttemptFailure, InterruptedException {
    List<String> secrets = new ArrayList<>();
    Letter letter = letter(job, group, secrets);
    Hop first = first(job.payload(), group, letter);
    Answer answer;
    try (Cutoff cutoff = client.cutoff(within(clock.instant(), deadline))) {
      answer = group != null && group.auth() instanceof Auth.OAuth2
          ? sendWithToken(job, group, first, secrets, cutoff)
          : send(letter, first, cutoff).answer;
    }
    Excerpt excerpt = new Excerpt(secrets);
    if (!answer.isSuccess()) {
      throw failure(answer, group, first.url(), excerpt);
    }
    HttpResult result = excerpt.of(answer);
    callBack(job, result);
    return result;
  }

  /** Writes the letter, and notes what is secret in it. */
  private Letter letter(Job<HttpCall> job, @Nullable Group group, List<String> secrets) {
    Letter letter = new Letter(job, group, userAgent, clock.instant().getEpochSecond());
    secrets.addAll(letter.secrets());
    return letter;
  }

  /** Sends, and once more where the token was refused and there is another one. */
  private Answer sendWithToken(
      Job<HttpCall> job, Group group, Hop first, List<String> secrets, Cutoff cutoff)
      throws AttemptFailure, InterruptedException {
    Group ready = tokens.ready(job.tenant(), group, cutoff.left());
    Sent sent = send(letter(job, ready, secrets), first, cutoff);
    if (sent.answer.status() != 401 || sent.foreign) {
      return sent.answer;
    }
    Optional<Group> other = tokens.instead(job.tenant(), group, ready, cutoff.left());
    return other.isEmpty()
        ? sent.answer
        : send(letter(job, other.get(), secrets), first, cutoff).answer;
  }

  private Hop first(HttpCall call, @Nullable Group group, Letter letter) throws AttemptFailure {
    try {
      letter.check();
      return Hop.first(call.target(client.guard(), group), call.verb(), Bytes.of(call.bytes()));
    } catch (RefusedTarget e) {
      boolean refused = e.code().equals(RefusedTarget.ADDRESS_REFUSED);
      throw new AttemptFailure(
          refused ? ErrorClass.REJECTED : ErrorClass.VALIDATION,
          e.code(),
          "no request is made: the URL " + e.reason());
    }
  }

  /** The time for the exchange: all that is left of the job's timeout. */
  static Duration within(Instant now, Instant deadline) {
    Duration left = Duration.between(now, deadline);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Sent send(Letter letter, Hop first, Cutoff cutoff)
      throws AttemptFailure, InterruptedException {
    Hop hop = first;
    Duration took = Duration.ZERO;
    for (int redirects = 0; ; redirects++) {
      Answer answer = client.send(letter.to(hop), cutoff);
      took = took.plus(answer.took());
      if (!letter.followsRedirects() || !Hop.isRedirect(answer)) {
        return new Sent(
            new Answer(answer.status(), answer.headers(), answer.body(), answer.whole(), took),
            hop.foreign());
      }
      if (redirects == MOST_REDIRECTS) {
        throw new AttemptFailure(
                ErrorClass.REJECTED,
                "TOO_MANY_REDIRECTS",
                "more than " + MOST_REDIRECTS + " redirects from " + first.url())
            .withAnswer(answer.status(), null);
      }
      hop = next(hop, answer);
    }
  }

  private Hop next(Hop hop, Answer answer) throws AttemptFailure {
    try {
      return hop.next(answer, client.guard());
    } catch (RefusedTarget e) {
      throw new AttemptFailure(
              ErrorClass.REJECTED,
              e.code(),
              "the redirect of " + hop.url() + " is not followed: its location " + e.reason())
          .withAnswer(answer.status(), null);
    }
  }

  private AttemptFailure failure(
      Answer answer, @Nullable Group group, TargetUrl url, Excerpt excerpt) {
    int status = answer.status();
    ErrorClass errorClass = group == null ? ErrorClass.ofStatus(status) : group.classOf(status);
    AttemptFailure failure = new AttemptFailure(
            errorClass, "HTTP_" + status, "the receiver answered " + status + ": " + url)
        .withAnswer(status, excerpt.body(answer).orElse(null));
    return answer
        .header("retry-after")
        .flatMap(value -> RetryAfter.parse(value, clock.instant()))
        .map(wait -> failure.withRetry(When.in(wait)))
        .orElse(failure);
  }

  /**
   * The callback is in the store before the job is done, so that no crash can lose it. Where that fails
   * the attempt has failed, and the request is made again.
   */
  private void callBack(Job<HttpCall> job, HttpResult result) throws AttemptFailure {
    try {
      callbacks.success(job, result);
    } catch (SluiceException e) {
      LOG.warn("the callback of job {} could not be enqueued: {}", job.id(), e.getMessage());
      throw new AttemptFailure(
              ErrorClass.UNKNOWN,
              "CALLBACK_FAILED",
              "the request was answered, but its callback could not be enqueued: " + reason(e))
          .withAnswer(result.status(), result.body());
    }
  }

  /** Why, for those who may read the job: where the store is, is not for them. */
  private static String reason(SluiceException e) {
    return e.code() == ErrorCode.PERSISTENCE_FAILURE
        ? "the store did not take it"
        : String.valueOf(e.getMessage());
  }
}
