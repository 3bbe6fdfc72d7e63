package io.sluice.server;

import io.sluice.Sluice;
import io.sluice.http.AddressGuard;
import io.sluice.http.Groups;
import io.sluice.postgres.Database;
import io.sluice.server.audit.Audit;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.job.BulkJobsResource;
import io.sluice.server.job.DeadLettersResource;
import io.sluice.server.job.Enqueuer;
import io.sluice.server.job.HttpJobs;
import io.sluice.server.job.JobBodies;
import io.sluice.server.job.JobLists;
import io.sluice.server.job.JobReader;
import io.sluice.server.job.JobViews;
import io.sluice.server.job.JobsResource;
import io.sluice.server.pull.Leases;
import io.sluice.server.pull.PullResource;
import io.sluice.server.queue.QueuesResource;
import io.sluice.server.queue.Turns;
import io.sluice.server.quota.QuotaWatch;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Endpoint;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.seal.Seal;
import io.sluice.server.seal.SealKey;
import io.sluice.server.stats.Figures;
import io.sluice.server.stats.StatsResource;
import io.sluice.server.stats.WorkersResource;
import io.sluice.server.workflow.BatchesResource;
import io.sluice.server.workflow.GraphResource;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.util.function.BiPredicate;

/** The routes of jobs and queues, put together. */
final class JobRoutes {
  private final JobLists lists;
  private final JobsResource jobs;
  private final BulkJobsResource bulk;
  private final GraphResource graph;
  private final BatchesResource batches;
  private final DeadLettersResource deadLetters;
  private final QueuesResource queues;
  private final PullResource pull;
  private final WorkersResource workers;
  private final StatsResource stats;

  /** What jobs are checked against, and where changes are noted. */
  record Around(
      Groups groups, AddressGuard guard, CallSecrets secrets, Audit audit, QuotaWatch quotas) {}

  JobRoutes(Sluice sluice, JobStore store, Database database, Json json, Around around) {
    BiPredicate<String, String> urlGroupExists =
        (tenant, name) -> around.groups.find(tenant, name).isPresent();
    Audit audit = around.audit;
    HttpJobs http = new HttpJobs(around.groups, around.guard, around.secrets, json);
    JobViews views = new JobViews(store.queues(), http);
    Seal seal = new Seal(SealKey.load(database, new SecureRandom()));
    Cursors cursors = new Cursors(seal);
    lists = new JobLists(store, views, cursors, json);
    Figures figures = new Figures(store);
    JobReader reader = new JobReader(store.queues(), http);
    Enqueuer enqueuer = new Enqueuer(sluice, around.quotas);
    Leases leases = new Leases(seal);
    this.jobs = new JobsResource(sluice, reader, enqueuer, views, lists, audit);
    this.bulk = new BulkJobsResource(sluice, store, views, audit, System::nanoTime);
    this.graph = new GraphResource(sluice);
    this.batches =
        new BatchesResource(sluice, new JobBodies(reader), enqueuer, leases, cursors, audit);
    this.deadLetters = new DeadLettersResource(store, views, lists, audit, System::nanoTime);
    this.queues = new QueuesResource(
        sluice,
        new QueuesResource.Parts(
            new Turns(database), urlGroupExists, lists, figures, cursors, store.limits()),
        audit);
    this.pull = new PullResource(sluice.remote(), store.queues(), views, leases);
    this.workers = new WorkersResource(store.workers(), cursors);
    this.stats = new StatsResource(figures, sluice::fullness);
  }

  Routes addTo(Routes routes) {
    jobs.addTo(routes);
    bulk.addTo(routes);
    graph.addTo(routes);
    batches.addTo(routes);
    deadLetters.addTo(routes);
    queues.addTo(routes);
    pull.addTo(routes);
    workers.addTo(routes);
    return stats.addTo(routes);
  }

  /** The jobs of the tenant that a call is about. */
  Endpoint jobList() {
    return lists::ofTenant;
  }

  /** The queues of the tenant that a call is about. */
  Endpoint queueList() {
    return call -> Answer.ok(queues.list(call.tenant(), call.query()));
  }
}
