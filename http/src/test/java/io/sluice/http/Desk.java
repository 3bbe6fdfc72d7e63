package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.AttemptFailure;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.Job;
import io.sluice.JobContext;
import io.sluice.JobRequest;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Outcome;
import io.sluice.Priority;
import io.sluice.Result;
import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/** A deliverer with what it needs, set up for a test, to which loopback is open unless said otherwise. */
final class Desk implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(15);
  static final UUID ID = UUID.fromString("01920000-0000-7000-8000-000000000001");
  static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  final InstantSource clock;
  final GuardedClient client;
  final Tokens tokens;
  final Deliverer deliverer;
  /** How far the clock of tokens is ahead. */
  final AtomicLong ahead = new AtomicLong();

  final Map<String, Group> groups = new ConcurrentHashMap<>();
  final List<JobRequest> enqueued = new CopyOnWriteArrayList<>();
  /** What the predecessors of every job left. */
  final List<Result> results = new CopyOnWriteArrayList<>();

  private final List<AutoCloseable> toClose = new ArrayList<>();

  Desk() {
    this(InetAddress::getAllByName, "127.0.0.0/8");
  }

  Desk(Resolver resolver, String... open) {
    this(guard(open), resolver, platformTls(), InstantSource.system());
  }

  Desk(AddressGuard guard, Resolver resolver, SSLContext tls, InstantSource clock) {
    this.clock = clock;
    this.client = new GuardedClient(guard, resolver, tls, System::nanoTime);
    this.tokens =
        new Tokens(client, () -> System.nanoTime() + ahead.get(), new SplittableRandom(1));
    this.deliverer =
        new Deliverer(client, this::group, tokens, new Callbacks(enqueued::add), clock, "1.2.3");
  }

  static AddressGuard guard(String... open) {
    return new AddressGuard(List.of(open).stream().map(Cidr::of).toList());
  }

  static SSLContext platformTls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private Optional<Group> group(String tenant, String name) {
    return Optional.ofNullable(groups.get(tenant + "/" + name));
  }

  Desk with(Group group) {
    groups.put("acme/" + group.name(), group);
    return this;
  }

  <T extends AutoCloseable> T closing(T resource) {
    toClose.add(resource);
    return resource;
  }

  static Job<HttpCall> job(HttpCall call, String group) {
    return new Job<>(
        ID,
        new Lane("acme", "mail", HttpCall.TYPE, group, ""),
        call,
        2,
        Instant.EPOCH,
        Priority.NORMAL,
        Metadata.NONE.withTraceparent(TRACE));
  }

  Outcome deliver(Job<HttpCall> job, Duration patience) throws Exception {
    return deliverer.handle(job, context(clock.instant().plus(patience)));
  }

  HttpResult done(HttpCall call) throws Exception {
    return done(call, "");
  }

  HttpResult done(HttpCall call, String group) throws Exception {
    Outcome outcome = deliver(job(call, group), PATIENCE);
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return (HttpResult) ((Outcome.Done) outcome).result();
  }

  AttemptFailure failed(HttpCall call) {
    return failed(call, "");
  }

  AttemptFailure failed(HttpCall call, String group) {
    return failed(job(call, group), PATIENCE);
  }

  AttemptFailure failed(Job<HttpCall> job, Duration patience) {
    Throwable thrown = catchThrowable(() -> deliver(job, patience));
    assertThat(thrown).isInstanceOf(AttemptFailure.class);
    return (AttemptFailure) thrown;
  }

  JobContext context(Instant deadline) {
    return new JobContext() {
      @Override
      public Instant deadline() {
        return deadline;
      }

      @Override
      public boolean isOver() {
        return false;
      }

      @Override
      public void progress(int percent, String message) {}

      @Override
      public void log(String line) {}

      @Override
      public void result(Object result) {}

      @Override
      public List<Result> results() {
        return results;
      }

      @Override
      public List<Enqueued> addToBatch(List<JobRequest> jobs) {
        throw new AssertionError("no delivery adds to a batch");
      }

      @Override
      public BatchStarted startBatch(BatchRequest batch) {
        throw new AssertionError("no delivery starts a batch");
      }

      @Override
      public void completeWith(Connection connection) {}
    };
  }

  @Override
  public void close() {
    for (AutoCloseable resource : toClose) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    tokens.close();
    client.close();
  }
}
