package io.sluice.server.delivery;

import io.sluice.ErrorCode;
import io.sluice.Job;
import io.sluice.JobContext;
import io.sluice.JobType;
import io.sluice.Outcome;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.http.AddressGuard;
import io.sluice.http.Deliverer;
import io.sluice.http.Groups;
import io.sluice.http.GuardedClient;
import io.sluice.http.HttpCall;
import io.sluice.http.Tokens;
import io.sluice.postgres.Database;
import io.sluice.store.JobStore;
import io.sluice.store.Queues;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The delivery of HTTP jobs in one server: its client, its handler, and the store that tells callbacks. */
public final class Delivery implements AutoCloseable {
  /** What the delivery stands on. */
  public record Parts(
      Database database,
      JobStore store,
      Queues queues,
      Groups groups,
      CallSecrets secrets,
      Uuid7 ids) {}

  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

  private final CallSecrets secrets;
  private final GuardedClient client;
  private final Tokens tokens;
  private final Deliverer deliverer;
  private final JobStore store;

  public Delivery(Parts parts, AddressGuard guard, InstantSource clock, String version) {
    CallbackJobs jobs = new CallbackJobs(parts.secrets, parts.ids);
    this.secrets = parts.secrets;
    this.client = new GuardedClient(guard);
    this.tokens = new Tokens(client, System::nanoTime, new SecureRandom());
    this.deliverer =
        new Deliverer(client, parts.groups, tokens, jobs.success(parts.store), clock, version);
    this.store = new TellingStore(
        parts.store, new FailureCallbacks(parts.store, parts.database, jobs), parts.queues);
  }

  /** The store to run jobs on. */
  public JobStore store() {
    return store;
  }

  /** The client for everything else in the server that calls out. */
  public GuardedClient client() {
    return client;
  }

  /** The tokens of groups. */
  public Tokens tokens() {
    return tokens;
  }

  /** The type of HTTP jobs, for an engine that delivers, with what stands around each attempt. */
  public JobType<HttpCall> type(Attempts attempts) {
    return JobType.of(HttpCall.TYPE, HttpCall.class)
        .overtime(Deliverer.OVERTIME)
        .answer((job, context) -> attempts.make(job, () -> delivered(job, context)));
  }

  /** An outage of the store is in the log; the job, which its tenant reads, does not name hosts. */
  private Outcome delivered(Job<HttpCall> job, JobContext context) throws Exception {
    try {
      return deliver(job, context);
    } catch (SluiceException e) {
      if (e.code() != ErrorCode.PERSISTENCE_FAILURE) {
        throw e;
      }
      LOG.warn("job {} could not be delivered: {}", job.id(), e.getMessage());
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "the server's store did not answer; no request was made");
    }
  }

  private Outcome deliver(Job<HttpCall> job, JobContext context) throws Exception {
    Job<HttpCall> opened = new Job<>(
        job.id(),
        job.lane(),
        secrets.open(job.tenant(), job.payload()),
        job.attempt(),
        job.createdAt(),
        job.priority(),
        job.metadata());
    return deliverer.handle(opened, context);
  }

  /** Lets go of all connections; nothing may be on its way any more. */
  @Override
  public void close() {
    tokens.close();
    client.close();
  }
}
