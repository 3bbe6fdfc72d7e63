package io.sluice.server;

import io.sluice.Sluice;
import io.sluice.http.AddressGuard;
import io.sluice.http.Groups;
import io.sluice.postgres.Database;
import io.sluice.server.audit.Audit;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.job.DeadLettersResource;
import io.sluice.server.job.HttpJobs;
import io.sluice.server.job.JobLists;
import io.sluice.server.job.JobReader;
import io.sluice.server.job.JobViews;
import io.sluice.server.job.JobsResource;
import io.sluice.server.queue.QueuesResource;
import io.sluice.server.queue.Turns;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.seal.Seal;
import io.sluice.server.seal.SealKey;
import io.sluice.server.stats.Figures;
import io.sluice.server.stats.StatsResource;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.util.function.BiPredicate;

/** The routes of jobs and queues, put together. */
final class JobRoutes {
  private final JobsResource jobs;
  private final DeadLettersResource deadLetters;
  private final QueuesResource queues;
  private final StatsResource stats;

  /** What jobs are checked against, and where changes are noted. */
  record Around(Groups groups, AddressGuard guard, CallSecrets secrets, Audit audit) {}

  JobRoutes(Sluice sluice, JobStore store, Database database, Json json, Around around) {
    BiPredicate<String, String> urlGroupExists =
        (tenant, name) -> around.groups.find(tenant, name).isPresent();
    Audit audit = around.audit;
    HttpJobs http = new HttpJobs(around.groups, around.guard, around.secrets, json);
    JobViews views = new JobViews(store.queues(), http);
    Cursors cursors = new Cursors(new Seal(SealKey.load(database, new SecureRandom())));
    JobLists lists = new JobLists(store, views, cursors, json);
    Figures figures = new Figures(store);
    this.jobs = new JobsResource(sluice, new JobReader(store.queues(), http), views, lists, audit);
    this.deadLetters = new DeadLettersResource(store, views, lists, audit);
    this.queues = new QueuesResource(
        sluice,
        new QueuesResource.Parts(new Turns(database), urlGroupExists, lists, figures, cursors),
        audit);
    this.stats = new StatsResource(figures);
  }

  Routes addTo(Routes routes) {
    jobs.addTo(routes);
    deadLetters.addTo(routes);
    queues.addTo(routes);
    return stats.addTo(routes);
  }
}
